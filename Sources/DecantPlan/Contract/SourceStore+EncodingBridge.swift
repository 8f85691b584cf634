package import DecantBase
package import DecantSQLite

extension SourceStore {
  /// Makes the objects readable on `connection` under the name `schema`, even if its text encoding differs.
  ///
  /// With equal encodings the store is attached. Otherwise it is attached to a separate connection, whose tables are
  /// bridged to `connection`: the rows have the same names, and the file is on `connection.reader(of: schema)`, where a
  /// read transaction holds its state.
  package func meet(on connection: Connection, as schema: String) throws(DecantError) {
    let encoding = try explaining("cannot read the text encoding") { () throws(SQLiteError) in
      try connection.textEncoding()
    }
    guard encoding.rawValue != textEncoding else {
      try attach(to: connection, as: schema)
      try mapped?.offer(on: connection, as: schema)
      return
    }
    let reader = try explaining("cannot open a database in memory") { () throws(SQLiteError) in
      let reader = try Connection(":memory:", mode: .create)
      reader.setBusyTimeout(milliseconds: 2_000)
      try reader.run("PRAGMA encoding = \(textEncoding.sqlText)")
      return reader
    }
    try attach(to: reader, as: schema)
    try explaining("cannot read the tables of “\(identity.place)”") { () throws(SQLiteError) in
      try connection.attach(schema, of: reader)
    }
    try mapped?.offer(on: connection, as: schema)
  }
}
