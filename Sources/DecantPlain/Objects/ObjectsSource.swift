package import DecantBase
package import DecantPlan
package import DecantStore
package import DecantSQLite

/// A plain database, read as the objects of a given model.
package struct ObjectsSource: SourceStore {
  private let file: PlainFile
  package let identity: StoreIdentity
  package let model: Model
  package let layout: Layout
  /// Problems that were found before the file was made.
  private let problems: [StoreProblem]
  package var likeness: Likeness?
  package var form: SourceForm { .byOtherModel }
  package var path: String? { file.database.path }
  package var textEncoding: String { file.textEncoding }
  package var externalStorage: (any ExternalStorage)? { nil }
  package var isTemporary: Bool { file.database.isMade }
  package var notes: [ReportNote] { file.database.notes + layoutNotes }
  package var readingNotes: [ReportNote] { file.database.readingNotes }

  /// Finds the objects of `model` in the database `file`.
  ///
  /// - Throws: `DecantError` of the family `.modelMismatch` if a table or column of the model is missing.
  package init(_ file: PlainFile, model: Model, form: ObjectsForm = .sqlite, problems: [StoreProblem] = [])
    throws(DecantError)
  {
    (self.file, self.problems) = (file, problems)
    identity = StoreIdentity(kind: PlainKind.name, place: file.database.path)
    self.model = model
    layout = try ObjectsLayout(model, form).lookedUp(in: file)
  }

  package func facts(on connection: Connection, schema: String) throws(DecantError) -> StoreFacts {
    var facts = StoreFacts(modelOrigin: "from the tables")
    facts.problems = problems
    return facts
  }

  /// Notes about tables that hold neither objects nor links of the model.
  private var layoutNotes: [ReportNote] {
    let names =
      layout.plainTables.map(\.name)
      + file.schema.tables.filter { $0.virtual != nil }.map(\.name)
    return names.isEmpty
      ? [] : [ReportNote(.notInModel, "tables that are not an entity of the model: \(names.joined(separator: ", "))")]
  }

  package func attach(to connection: Connection, as schema: String) throws(DecantError) {
    do throws(SQLiteError) {
      try connection.attach(file.database.uri, as: schema)
    } catch {
      throw DecantError(opening: file.database.path, error)
    }
  }
}
