package import DecantSQLite

/// One of the two stores whose objects are matched.
package enum MatchSide: String, CaseIterable {
  case source = "a"
  case destination = "b"

  /// The name under which the store is attached.
  package var schema: String { self == .source ? CopySession.source : CopySession.destination }

  /// The column of tables of pairs that holds its keys.
  package var column: String { self == .source ? "source" : "destination" }

  package var other: MatchSide { self == .source ? .destination : .source }
}

/// A value for each of the two stores.
package struct Sided<Value> {
  package var source: Value
  package var destination: Value

  package init(_ source: Value, _ destination: Value) {
    self.source = source
    self.destination = destination
  }

  package init(_ make: (MatchSide) -> Value) {
    self.init(make(.source), make(.destination))
  }

  package subscript(side: MatchSide) -> Value {
    get { side == .source ? source : destination }
    set { if side == .source { source = newValue } else { destination = newValue } }
  }
}

extension Sided where Value == TemporaryTable {
  /// Makes an empty table for each side; `definition` is what stands behind the name in its statement.
  package static func tables(_ definition: String, on connection: Connection) throws(SQLiteError) -> Self {
    Sided(try TemporaryTable(definition, on: connection), try TemporaryTable(definition, on: connection))
  }
}
