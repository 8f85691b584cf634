package import DecantBase
package import DecantSQLite

extension SourceStore {
  /// Makes the objects readable on `connection` under the name `schema`, also where its texts are encoded
  /// otherwise than the store's.
  ///
  /// Stores that agree are attached. Otherwise the store is attached to a connection of its own, whose
  /// tables are bridged to `connection`: the rows are found under the same names, and the file on
  /// `connection.reader(of: schema)`, where a read transaction holds its state.
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
