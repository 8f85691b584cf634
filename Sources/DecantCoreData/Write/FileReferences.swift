package import DecantBase
package import DecantPlan
internal import DecantSQLite
internal import DecantStore

/// The references of a Core Data store to external files, which its template keeps: columns on a server hold the bytes.
///
/// They also tell which files were missing when the store was copied.
package enum FileReferences {
  private static let table = "decant_files"

  /// Adds the references of the copied objects of `source` to the template at `path`; returns whether there are any.
  package static func keep(of source: any SourceStore, in path: String, _ session: CopySession) throws(DecantError)
    -> Bool
  {
    try explaining("cannot read the external files of “\(source.identity.place)”") { () throws(SQLiteError) in
      var template: (connection: Connection, insert: Statement)?
      for relation in source.layout.relations {
        for column in relation.columns where column.isExternal {
          guard case .attribute(let property) = column.columnRole else { continue }
          let (key, name) = ("id(\(relation.root.sqlText), \(relation.keyName))", column.name.sqlName)
          // A reference is short; type and length are known without reading the value.
          let length = "file_length('source', \(relation.value(of: column)))"
          let references = SelectStatement(
            columns: [key, name, "\(length) < 0"],
            source: relation.sqlTable(in: CopySession.source),
            conditions: [
              "typeof(\(name)) = 'blob'", "length(\(name)) < 128", "\(key) IS NOT NULL", "\(length) IS NOT NULL",
            ]
          )
          try session.connection.forEachRow(references.sql) { row throws(SQLiteError) in
            if template == nil { template = try begin(path) }
            try template?.insert.run(
              .text(relation.root), .text("\(property)"), .integer(row.integer(at: 0)), .blob(row.bytes(at: 1)),
              .integer(row.integer(at: 2)))
          }
        }
      }
      guard let template else { return false }
      try template.connection.run("COMMIT")
      return true
    }
  }

  private static func begin(_ path: String) throws(SQLiteError) -> (connection: Connection, insert: Statement) {
    let connection = try Connection(path, mode: .readWrite)
    try connection.run("BEGIN")
    try connection.run(
      "CREATE TABLE \(table) (entity TEXT, attribute TEXT, key INTEGER, reference BLOB, missing INTEGER)")
    return (connection, try connection.prepare("INSERT INTO \(table) VALUES (?1, ?2, ?3, ?4, ?5)"))
  }

  /// Sets the references again in the filled store at `path`, and moves the values to files.
  ///
  /// A value that is NULL gets its reference only if its file was missing. Values that were added since stay inline.
  package static func restore(in path: String, of store: CoreDataSource) throws(DecantError) {
    let context = "cannot restore the external files"
    let connection = try explaining(context) { () throws(SQLiteError) in
      let connection = try Connection(path, mode: .readWrite)
      let isThere = "SELECT 1 FROM sqlite_schema WHERE name = ?1"
      return try connection.integer(isThere, .text(table)) == nil ? nil : connection
    }
    guard let connection, let storage = store.externalStorage else { return }
    try explaining(context) { () throws(SQLiteError) in try connection.run("BEGIN") }
    for relation in store.layout.relations {
      for column in relation.columns where column.isExternal {
        guard case .attribute(let property) = column.columnRole else { continue }
        try restore(column, "\(property)", of: relation, storage, connection)
      }
    }
    try explaining(context) { () throws(SQLiteError) in
      try connection.run("DROP TABLE \(table)")
      try connection.run("COMMIT")
    }
  }

  private static func restore(
    _ column: RelationColumn,
    _ attribute: String,
    of relation: Relation,
    _ storage: any ExternalStorage,
    _ connection: Connection
  ) throws(DecantError) {
    let (context, name) = ("cannot restore the external files of \(attribute)", column.name.sqlName)
    let (next, update) = try explaining(context) { () throws(SQLiteError) in
      (
        try connection.prepare(
          """
          SELECT f.rowid, f.key, f.reference, typeof(t.\(name)) FROM \(table) AS f
          JOIN \(relation.table.sqlName) AS t ON t.\(relation.keyName) = f.key
          WHERE f.rowid > ?1 AND f.entity = ?2 AND f.attribute = ?3 AND (f.missing OR t.\(name) IS NOT NULL)
          ORDER BY f.rowid LIMIT 1
          """
        ),
        try connection.prepare("UPDATE \(relation.table.sqlName) SET \(name) = ?1 WHERE \(relation.keyName) = ?2")
      )
    }
    var position: Int64 = 0
    while true {
      try Cancellation.current?.check()
      let found = try explaining(context) { () throws(SQLiteError) -> (key: Int64, reference: [UInt8], isNull: Bool)? in
        try next.bind(.integer(position), at: 1)
        try next.bind(.text(relation.root), at: 2)
        try next.bind(.text(attribute), at: 3)
        defer { next.reset() }
        guard try next.step() else { return nil }
        position = next.integer(at: 0)
        return (next.integer(at: 1), next.bytes(at: 2), next.text(at: 3) == "null")
      }
      guard let found else { return }
      guard let file = found.reference.withUnsafeBytes({ storage.fileName(in: $0) }) else { continue }
      var reference = found.reference
      if !found.isNull {
        reference = try write(file, of: (relation.table, column, found.key), storage, connection)
      }
      try explaining(context) { () throws(SQLiteError) in try update.run(.blob(reference), .integer(found.key)) }
    }
  }

  /// Writes an inline value to a file; returns the reference.
  private static func write(
    _ file: String,
    of value: (table: String, column: RelationColumn, key: Int64),
    _ storage: any ExternalStorage,
    _ connection: Connection
  ) throws(DecantError) -> [UInt8] {
    do {
      return try storage.write(file, of: "\(value.table) \(value.key)") { take in
        var failure: (any Error)?
        try BlobHandle("main", value.table, value.column.name, rowID: value.key, on: connection)
          .forEachPiece(from: value.column.inlineMark.count) { piece, _ in
            guard failure == nil else { return }
            do { try take(piece) } catch { failure = error }
          }
        if let failure { throw failure }
      }
    } catch let error as DecantError {
      throw error
    } catch let error as SQLiteError {
      throw DecantError("cannot restore the external files of \(value.table)", cause: error)
    } catch {
      throw DecantError(.systemFailed, "\(error)")
    }
  }
}
