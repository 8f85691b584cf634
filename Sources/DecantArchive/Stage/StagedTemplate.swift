internal import DecantCoreData
internal import DecantPlain
internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSystem
internal import DecantSQLite

/// The database that an archive is read into: its template, or tables made from the model in its header.
final class StagedTemplate {
  private let path: String
  private let hasTables: Bool
  private var descriptor: Int32
  private var indexes = DroppedIndexes()
  private var searchTables: [SearchTable] = []
  /// Virtual tables that are built from the rows of another table.
  private var builtTables: [String] = []
  /// The tables of a Core Data store's root entities, with their keys and the entities' numbers.
  ///
  /// The highest keys in the header are not trusted.
  private var counted: [(table: String, key: String, number: Int64)] = []

  init(_ header: ArchiveHeader, at path: String) throws(DecantError) {
    self.path = path
    hasTables = header.source.template != nil
    descriptor = DecantSystem.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw DecantError(SystemError("write", path)) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Appends the next piece of the template.
  func append(_ piece: UnsafeRawBufferPointer) throws(DecantError) {
    try explaining { () throws(SystemError) in
      try Files.write(piece, to: descriptor, of: path)
    }
  }

  /// Opens the tables for writing; the database is temporary and need not survive a crash.
  ///
  /// - Parameters:
  ///   - header: The header of the archive.
  ///   - model: The model that values of rejected objects are checked against; `nil` for that of the header.
  /// - Returns: The tables, and the connection that fills them, in a transaction.
  /// - Throws: `ArchiveFault` for unusable tables.
  func open(_ header: ArchiveHeader, _ model: Model?) throws -> (tables: StagedTables, connection: Connection) {
    close(descriptor)
    descriptor = -1
    do {
      guard hasTables else { return try make(header, model) }
      let location = StoreLocation(kind: header.source.kind, place: path)
      let isCoreData = header.hasModel
      let core =
        isCoreData
        ? try CoreDataFile(DatabaseFile.open(path), model: nil, fallback: header.ownModel) : nil
      let plain = isCoreData ? nil : try PlainFile(location, options: CopyOptions())
      let connection = try connect()
      try connection.run("BEGIN")
      // Unique indexes stay for rejected objects: two may be equal, and the second is then reported when it is inserted.
      try indexes.drop(includesUnique: header.rejectCount == nil, on: connection)
      if let core {
        let source = CoreDataSource(core)
        try checkIsEmpty(source.layout, on: connection)
        counted = source.layout.relations.compactMap { relation in
          guard let key = relation.keyColumn, let number = core.numbers[relation.root] else {
            return nil
          }
          return (relation.table, key, number)
        }
        searchTables = core.virtualTreeNames.compactMap { SearchTable($0, in: source.layout) }
        let checks = header.rejectCount == nil ? nil : model ?? source.model
        return (try StagedTables(source, checks: checks, on: connection), connection)
      }
      guard let plain else { throw ArchiveFault("the archive has no tables") }
      try checkIsEmpty(PlainSource(plain).layout, on: connection)
      builtTables = plain.schema.tables.compactMap { table in
        if case .table? = table.virtual?.content { table.name } else { nil }
      }
      return (try StagedTables(plain, header, on: connection), connection)
    } catch let error as SQLiteError {
      throw ArchiveFault("its tables cannot be used: \(error.message)")
    } catch let error as DecantError where error.family != .failed {
      // The temporary file no longer exists when this message is read.
      let told = error.message.replacing("“\(path)”", with: "these tables")
      throw ArchiveFault("its tables cannot be used: \(told)")
    }
  }

  private func connect() throws(SQLiteError) -> Connection {
    let connection = try Connection(path, mode: .readWrite)
    for pragma in [
      "journal_mode = OFF", "synchronous = OFF", "foreign_keys = OFF",
      "ignore_check_constraints = ON", "locking_mode = EXCLUSIVE",
    ] {
      try connection.run("PRAGMA \(pragma)")
    }
    try connection.takeCacheForWriting()
    try connection.setTriggersEnabled(false)
    return connection
  }

  /// Makes tables from the model in the header, as a copy of a Core Data store to a plain database does.
  private func make(_ header: ArchiveHeader, _ model: Model?) throws -> (tables: StagedTables, connection: Connection) {
    let objects = ObjectsLayout(header.model.model)
    let statements = ObjectsStatements(objects)
    let isOfRejects = header.rejectCount != nil
    try makeTables(statements.tables + (isOfRejects ? statements.uniqueIndexes : []))
    for sql in (isOfRejects ? [] : statements.uniqueIndexes) + statements.indexes { indexes.append(sql) }
    let file = try PlainFile(StoreLocation(kind: PlainKind.name, place: path), options: CopyOptions())
    let source = try ObjectsSource(file, model: header.model.model)
    let connection = try connect()
    try EncodingFunctions.register(on: connection)
    try connection.run("BEGIN")
    let checks = header.rejectCount == nil ? nil : model ?? header.ownModel
    return (try StagedTables(source, checks: checks, on: connection), connection)
  }

  /// Runs `statements` on a separate connection, which is closed so that others see the result.
  private func makeTables(_ statements: [String]) throws(SQLiteError) {
    let connection = try connect()
    for sql in statements { try connection.run(sql) }
  }

  /// Throws if the tables contain rows that are not from lines of the archive.
  private func checkIsEmpty(_ layout: Layout, on connection: Connection) throws {
    for table in layout.relations.map(\.table) + layout.linkRelations.map(\.table) {
      guard try connection.integer("SELECT 1 FROM main.\(table.sqlName) LIMIT 1") == nil else {
        throw ArchiveFault("its tables hold objects already: “\(table)”")
      }
    }
  }

  /// Completes the store after the last object.
  func finish(_ header: ArchiveHeader, on connection: Connection) throws {
    do throws(SQLiteError) {
      for (table, key, number) in counted {
        try connection.run(
          "UPDATE main.Z_PRIMARYKEY SET Z_MAX = max(coalesce(Z_MAX, 0), coalesce("
            + "(SELECT max(\(key.sqlName)) FROM main.\(table.sqlName) "
            + "WHERE \(key.sqlName) < \(ReferenceStubs.firstKey)), 0)) WHERE Z_ENT = ?1",
          .integer(number)
        )
      }
      for tree in searchTables { try tree.fillWhole(on: connection) }
      try indexes.build(on: connection)
      for table in builtTables {
        try connection.run("INSERT INTO main.\(table.sqlName) (\(table.sqlName)) VALUES ('rebuild')")
      }
      try connection.run("COMMIT")
    } catch {
      guard error.isConstraint else {
        throw DecantError("cannot complete the objects read from the archive", cause: error)
      }
      throw ArchiveFault("two objects have the same unique values: \(error.message)")
    }
  }
}
