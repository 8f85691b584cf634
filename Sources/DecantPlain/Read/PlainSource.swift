package import DecantBase
package import DecantPlan
package import DecantStore
package import DecantSQLite

/// A plain SQLite database to read from, table by table.
package struct PlainSource: SourceStore {
  /// The schema of the file.
  package let file: PlainFile
  package let identity: StoreIdentity
  package let model: Model
  package private(set) var layout: Layout
  package var likeness: Likeness?
  package var path: String? { file.database.filePath }
  package var textEncoding: String { file.textEncoding }
  package var externalStorage: (any ExternalStorage)? { nil }
  package var isTemporary: Bool { file.database.isMade }
  package var mayBeTaken: Bool { file.database.isFinal }
  package var unknownCollations: [UnknownCollation] { file.schema.unknownCollations }
  package var portableLinks: [CopyOptions.Link]? { file.portableLinks }
  package var notes: [ReportNote] { file.database.notes + virtualNotes + leftOutNotes }
  package var readingNotes: [ReportNote] { file.database.readingNotes }

  /// The spellings of values that were read from a server whose tables decant did not create, by table and column.
  package let spellings: [Property: ValueSpelling]

  /// Problems that were found before the file was made.
  private let problems: [StoreProblem]
  /// Returns why rows of the given tables, with names in lower case, could not be read; `nil` if all were.
  private let refusal: (Set<String>) -> DecantError?

  /// Throws if tables are to be left out of `destination` that are not virtual, whose rows nothing else could restore.
  package func checkLeftOut(_ options: CopyOptions, of destination: String) throws(DecantError) {
    guard let name = options.leftOutTables.first(where: { file.schema.table($0) != nil }) else { return }
    throw DecantError(
      .unsuitableOption,
      "\(name) is not a virtual table: only these can be left out of \(destination)",
      place: "\(say: .leaveOut, name)",
      remedy: "to copy without its rows, use \(option: .where) with a condition that none meets"
    )
  }

  /// Derives the content of the tables of `file`.
  package init(
    _ file: PlainFile,
    problems: [StoreProblem] = [],
    spellings: [Property: ValueSpelling] = [:],
    refusal: @escaping (Set<String>) -> DecantError? = { _ in nil }
  ) {
    (self.file, self.problems, self.spellings, self.refusal) = (file, problems, spellings, refusal)
    identity = StoreIdentity(kind: PlainKind.name, place: file.database.path, terms: .rows)
    let read = PlainLayout(file.schema)
    var layout = read.layout
    layout.plainTables = file.shadowTables
    for (index, relation) in layout.relations.enumerated() where !spellings.isEmpty {
      for (place, column) in relation.columns.enumerated() {
        guard case .attribute = column.columnRole else { continue }
        layout.relations[index].columns[place].spelling = spellings[Property(relation.table, column.name)]
      }
    }
    (model, self.layout) = (read.model, layout)
  }

  package func attach(to connection: Connection, as schema: String) throws(DecantError) {
    do throws(SQLiteError) {
      if !unknownCollations.isEmpty { try connection.acceptUnknownCollations() }
      if !spellings.isEmpty { connection.joinWithoutBloomFilters() }
      try connection.attach(file.database.uri, as: schema)
    } catch {
      throw DecantError(opening: file.database.path, error)
    }
  }

  package func comparingLinks(like other: Layout) -> any SourceStore {
    var store = self
    store.layout.compareLinks(like: other)
    return store
  }

  package func checkAllRows(of tables: Set<String>) throws(DecantError) {
    if let error = refusal(tables) { throw error }
  }

  package func facts(on connection: Connection, schema: String) throws(DecantError) -> StoreFacts {
    var facts = StoreFacts(modelOrigin: "from the tables")
    facts.container = file.database.container
    facts.problems = problems
    return facts
  }

  /// A note about virtual tables that the user excluded.
  private var leftOutNotes: [ReportNote] {
    file.leftOut.isEmpty ? [] : [ReportNote(.tableNotRead, "left out: \(file.leftOut.joined(separator: ", "))")]
  }

  /// Notes about virtual tables that are not read.
  private var virtualNotes: [ReportNote] {
    file.schema.tables.compactMap { table in
      guard case .unreadable(let reason) = table.virtual?.content else { return nil }
      return ReportNote(.tableNotRead, "the virtual table \(table.name) is not read: \(reason)")
    }
  }
}
