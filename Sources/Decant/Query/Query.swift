internal import SQLite

/// Read-only SQL over the entities and attributes of a store, whatever its tables are called.
///
/// The statement is compiled twice: first where there is nothing but empty tables that look like the
/// entities, which finds every name that is none of theirs, then over views of the store itself. Rows
/// are read one by one as they are asked for.
public final class Query {
  /// The columns of the result.
  public let columns: [QueryColumn]
  /// What a reader should know.
  public let notes: [String]
  private let store: any SourceStore
  private let statement: Statement
  /// For each column where its value stands in a row, and the length of bytes that are left out.
  private let places: [QueryStatement.Place]
  private let text: String
  private let views: EntityViews
  private let textByteLimit: Int?

  /// Compiles `sql` over the store at `location`.
  ///
  /// - Parameters:
  ///   - sql: One SELECT, or WITH … SELECT, without parameters.
  ///   - location: The store; it is never changed.
  ///   - opener: Knows how to open it.
  ///   - model: A model to read it with, where it does not hold its own.
  ///   - verifies: Whether the structure of the store is checked first, of a large one that of the
  ///     tables that are read: SQLite passes over many a damage without a word, and the rows behind it
  ///     are missing.
  ///   - textByteLimit: How much of a longer text is wanted; `nil` for all of it.
  ///   - cancellation: Ends the query from another thread.
  /// - Throws: `DecantError` with code `.usage` for whatever is wrong with the SQL, `.corruptStore`
  ///   for a damaged structure; else as opening does.
  public init(
    _ sql: String,
    in location: StoreLocation,
    opener: any StoreOpener,
    model: String? = nil,
    verifies: Bool = true,
    textByteLimit: Int? = nil,
    cancellation: Cancellation = Cancellation()
  ) throws(DecantError) {
    var options = CopyOptions()
    options.model = model
    let store = try opener.openSource(location, options: options)
    let views = EntityViews(model: store.model, layout: store.layout)
    let mistake = QueryMistake(sql: sql, views: views)
    let checked = try mistake.explaining { () throws(SQLiteError) in
      try QueryStatement(sql, views: views)
    }
    let comparisons = try mistake.explaining { () throws(SQLiteError) in
      try TextComparisons(sql, views: views).findings
    }
    if let comparison = comparisons.first(where: \.isCertain) {
      throw DecantError(
        .usage,
        "cannot run the query: \(comparison.message)",
        remedy: comparison.remedy
      )
    }
    let bench = try Workbench(source: store)
    bench.connection.setProgressCheck(StopCheck(cancellation))
    try explaining("cannot offer functions to SQL") { () throws(SQLiteError) in
      try SafeFunctions.prepareTables(on: bench.connection)
    }
    try views.offer(in: Workbench.source, on: bench.connection)
    let authorizer = SelectAuthorizer(
      allowing: SafeFunctions.all,
      views: nil,
      allowsRecursion: true
    )
    bench.connection.setAuthorizer(authorizer)
    let compiled = try mistake.explaining { () throws(SQLiteError) in
      try bench.connection.prepare(checked.text)
    }
    if verifies {
      // The check is ours, and no query may have it.
      bench.connection.setAuthorizer(nil)
      let read = Set(authorizer.readTables.map { $0.lowercased() })
      let tables = store.layout.relations.map(\.table) + store.layout.linkRelations.map(\.table)
      try StructureCheck(of: Workbench.source, on: bench.connection)
        .run(on: tables.filter { read.contains($0.lowercased()) }, place: store.identity.place)
      bench.connection.setAuthorizer(authorizer)
    }
    statement = compiled
    columns = checked.columns
    places = checked.places
    text = sql
    notes =
      store.readingNotes
      + (store.modelGap.map {
        ["\($0.message): attributes have the names and types of their columns"]
      } ?? []) + comparisons.map(\.note)
    self.textByteLimit = textByteLimit
    self.store = store
    self.views = views
  }

  /// Returns the next row, a value for each column; `nil` at the end.
  public func next() throws(DecantError) -> [QueryValue]? {
    let mistake = QueryMistake(sql: text, views: views)
    return try mistake.explaining { () throws(SQLiteError) -> [QueryValue]? in
      guard try statement.step() else { return nil }
      return zip(columns, places).map { value(of: $0.type, at: $1) }
    }
  }

  private func value(of type: ColumnType?, at place: QueryStatement.Place) -> QueryValue {
    let position = place.value
    switch statement.type(at: position) {
    case .null:
      guard let length = place.length.flatMap({ statement.integerOrNil(at: $0) }) else {
        return .null
      }
      return .bytes(summary(ofLength: length, place, type))
    case .integer:
      let integer = statement.integer(at: position)
      switch type?.attribute {
      case .boolean where integer == 0 || integer == 1: return .boolean(integer == 1)
      case .date: return Double(exactly: integer).map { .date($0) } ?? .integer(integer)
      default: return .integer(integer)
      }
    case .real:
      let real = statement.real(at: position)
      switch type?.attribute {
      case .date: return .date(real)
      case .float where Double(Float(real)) == real: return .float(Float(real))
      default: return .double(real)
      }
    case .text:
      return .text(statement.text(at: position, byteLimit: textByteLimit) ?? "")
    case .blob:
      return statement.withBytes(at: position) { bytes in
        type?.attribute == .uuid && bytes.count == 16
          ? .uuid(Array(bytes)) : .bytes(summary(of: bytes, type))
      }
    }
  }

  /// Describes bytes that were left out for their size; of those that begin with a mark the first few
  /// are there.
  private func summary(ofLength length: Int64, _ place: QueryStatement.Place, _ type: ColumnType?)
    -> ByteSummary
  {
    guard let head = place.head, let storage = store.externalStorage else {
      return ByteSummary(byteCount: length)
    }
    return statement.withBytes(at: head) { bytes in
      let content = storage.inlineContent(of: bytes)
      return ByteSummary(
        byteCount: length - Int64(bytes.count - content.count),
        image: ImageFormat(head: content)
      )
    }
  }

  private func summary(of bytes: UnsafeRawBufferPointer, _ type: ColumnType?) -> ByteSummary {
    guard type?.isExternal == true, let storage = store.externalStorage else {
      return ByteSummary(byteCount: Int64(bytes.count), image: ImageFormat(head: bytes))
    }
    if storage.fileName(in: bytes) != nil {
      guard let path = storage.file(for: bytes), let status = FileStatus(unfollowed: path) else {
        return ByteSummary(byteCount: nil)
      }
      // A file that may not be read still has a size.
      let head = Files.start(of: path, count: ImageFormat.headByteCount)
      return ByteSummary(byteCount: status.byteCount, image: ImageFormat(head: head))
    }
    let content = storage.inlineContent(of: bytes)
    return ByteSummary(byteCount: Int64(content.count), image: ImageFormat(head: content))
  }
}
