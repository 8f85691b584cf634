public import DecantBase
internal import DecantStore
internal import DecantSQLite

/// The rows of a running query, read one by one on demand.
///
/// The statement is compiled twice: first on empty tables like the entities, which finds every name that is not theirs,
/// then on views of the store itself.
public final class QueryRows {
  /// The columns of the result.
  public let columns: [QueryColumn]
  /// The notes for the reader.
  public let notes: [ReportNote]
  private let store: any SourceStore
  private let session: CopySession
  private let cancellation: Cancellation
  private let statement: Statement
  private let use: StoreQuery.ByteUse
  private let folder: BlobFolder?
  private var isBegun = false
  private var rowCount: Int64 = 0
  /// For each column the position of its value in a row, and of the length of omitted bytes.
  private let places: [QueryStatement.Place]
  private let text: String
  private let views: EntityViews
  private let textByteLimit: Int?

  /// Compiles the SQL of `query` on its store.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - cancellation: Stops the query from another thread.
  ///   - tell: Receives progress.
  /// - Throws: `DecantError` of the family `.usage` for invalid SQL, `.corruptStore` for a damaged structure; otherwise
  ///   the errors of opening a store.
  package init(
    _ query: StoreQuery,
    cancellation: Cancellation = Cancellation(),
    _ tell: (WorkEvent) -> Void = { _ in }
  ) throws(DecantError) {
    let sql = query.sql
    var options = CopyOptions()
    options.model = query.model
    options.readsPartly = true
    tell(.began(.read))
    let store = try query.opener.openSource(query.store, options: options)
    let session = try CopySession(source: store)
    session.setProgressCheck(StopCheck(cancellation))
    try cancellation.check()
    let tokens = SQLTokens(sql)
    let stored = try explaining("cannot read the schema") { () throws(SQLiteError) in
      // A view may search a full-text table, which SQLite treats as unsafe in a schema; functions in views are checked
      // like those in the statement.
      try session.connection.setSchemasTrusted(true)
      return try StoredTables(mentionedIn: tokens, of: CopySession.source, on: session.connection, layout: store.layout)
    }
    let views = EntityViews(model: store.model, layout: store.layout, stored: stored)
    let mistake = QueryMistake(sql: sql, views: views)
    let parameters = QueryParameters(query.parameters)
    let checked = try mistake.explaining { () throws(SQLiteError) in
      try QueryStatement(sql, views: views, parameters: parameters, sparesLarge: query.bytes == .described)
    }
    let comparisons = try mistake.explaining { () throws(SQLiteError) in
      try TextComparisons(sql, views: views, parameters: parameters).findings
    }
    if let comparison = comparisons.first(where: \.isCertain) {
      throw DecantError(.invalidExpression, "cannot run the query: \(comparison.message)", remedy: comparison.remedy)
    }
    try explaining("cannot register SQL functions") { () throws(SQLiteError) in
      try SafeFunctions.prepareTables(on: session.connection)
    }
    try views.offer(in: CopySession.source, on: session.connection)
    let authorizer = SelectAuthorizer(allowing: SafeFunctions.all, views: nil, allowsRecursion: true)
    session.connection.setAuthorizer(authorizer)
    let compiled = try mistake.explaining { () throws(SQLiteError) in
      let compiled = try session.connection.prepare(checked.text)
      try parameters.bind(to: compiled, tokens.body)
      return compiled
    }
    // The statement is checked. Statements compiled from now on belong to the structure check or to modules reading
    // their own tables, which a query may not do.
    session.connection.setAuthorizer(nil)
    let read = Set(authorizer.readTables.map { $0.lowercased() })
    try store.checkAllRows(of: read)
    if query.verifies {
      tell(.began(.check))
      let tables = store.layout.relations.map(\.table) + store.layout.linkRelations.map(\.table)
      try StructureCheck(of: CopySession.source, on: session.connection)
        .run(on: tables.filter { read.contains($0.lowercased()) }, place: store.identity.place) {
          part in
          tell(.progress(QueryRows.checked(part)))
        }
    }
    statement = compiled
    columns = checked.columns
    places = checked.places
    text = sql
    notes =
      store.readingNotes
      + (store.modelGap.map {
        [ReportNote(.modelMissing, "\($0.what): attributes have the names and types of their columns")]
      } ?? []) + comparisons.map(\.note)
    self.textByteLimit = query.textByteLimit
    use = query.bytes
    if case .saved(let folder) = query.bytes {
      self.folder = try BlobFolder(folder, for: columns.map(\.name))
    } else {
      folder = nil
    }
    self.store = store
    self.views = views
    self.session = session
    self.cancellation = cancellation
  }

  private static func checked(_ part: Double) -> WorkProgress {
    WorkProgress(phase: .check, step: "", rowCount: 0, expectedRowCount: 0, byteCount: 0, timeShare: part)
  }

  /// Reports progress to `tell` while `body` reads the rows.
  func telling<Report>(
    _ tell: @escaping (WorkEvent) -> Void,
    _ body: (QueryRows) throws(DecantError) -> Report
  ) throws(DecantError) -> Report {
    let check = try explaining("cannot measure the store") { () throws(SQLiteError) in
      try QueryProgressCheck(session.connection.reader(of: CopySession.source), cancellation, tell)
    }
    session.setProgressCheck(check)
    // The connection keeps every check it was given.
    defer { check.end() }
    return try body(self)
  }

  /// Returns the next row, with a value for each column; `nil` at the end.
  ///
  /// - Throws: `DecantError`; of the family `.interrupted` if the query was stopped.
  public func next() throws(DecantError) -> [QueryValue]? {
    try cancellation.check()
    let mistake = QueryMistake(sql: text, views: views)
    let row = try mistake.explaining { () throws(SQLiteError) -> [QueryValue]? in
      // Before the first row SQLite may count the rows of a whole table.
      guard
        try isBegun
          ? statement.step() : session.connection.longStep({ () throws(SQLiteError) in try statement.step() })
      else { return nil }
      isBegun = true
      return zip(columns, places).map { value(of: $0.type, at: $1) }
    }
    guard var row, let folder else { return row }
    rowCount += 1
    for (column, value) in row.enumerated() {
      guard case .bytes(var summary) = value, summary.byteCount != nil else { continue }
      summary.file = try folder.save(column: column, row: rowCount, of: self, summary)
      row[column] = .bytes(summary)
    }
    return row
  }

  /// Whether bytes are saved to files, which the rows name.
  var savesBytes: Bool { folder != nil }

  /// Calls `body` with the bytes in `column` of the last row, in pieces, until it returns false; without bytes for a
  /// missing file.
  ///
  /// - Throws: `DecantError`; of the family `.usage` for a query that only describes bytes.
  public func forEachPiece(of column: Int, _ body: (UnsafeRawBufferPointer) -> Bool) throws(DecantError) {
    guard use != .described else {
      throw DecantError(.unsuitableOption, "the query does not read bytes", remedy: "create it with bytes: .lent")
    }
    let isExternal = columns[column].type?.isExternal == true
    let storage = isExternal ? store.externalStorage : nil
    let isReference = statement.withBytes(at: column) { storage?.fileName(in: $0) != nil }
    if isReference {
      guard let path = statement.withBytes(at: column, { storage?.file(for: $0) }) else { return }
      return try explaining { () throws(SystemError) in try Files.forEachPiece(of: path, body) }
    }
    try explaining("cannot read a value") { () throws(SQLiteError) in
      _ = try statement.withLentBytes(at: column) { body(storage?.inlineContent(of: $0) ?? $0) }
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

  /// Returns the description of bytes that were omitted for their size; if they may have a mark, their first bytes are
  /// available.
  private func summary(ofLength length: Int64, _ place: QueryStatement.Place, _ type: ColumnType?) -> ByteSummary {
    guard let head = place.head, let storage = store.externalStorage else {
      return ByteSummary(byteCount: length)
    }
    return statement.withBytes(at: head) { bytes in
      let content = storage.inlineContent(of: bytes)
      return ByteSummary(byteCount: length - Int64(bytes.count - content.count), image: ImageFormat(head: content))
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
      // The size of an unreadable file is still known.
      let head = Files.start(of: path, count: ImageFormat.headByteCount)
      return ByteSummary(byteCount: status.byteCount, image: ImageFormat(head: head))
    }
    let content = storage.inlineContent(of: bytes)
    return ByteSummary(byteCount: Int64(content.count), image: ImageFormat(head: content))
  }
}
