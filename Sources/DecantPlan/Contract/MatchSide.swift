package import DecantSQLite

/// One of the two stores whose objects are matched.
package enum MatchSide: String, CaseIterable {
  case source = "a"
  case destination = "b"

  /// The schema of the attached store.
  package var schema: String { self == .source ? CopySession.source : CopySession.destination }

  /// The column with its keys in tables of pairs.
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
  /// Creates an empty table for each side; `definition` is the SQL after the name.
  package static func tables(_ definition: String, on connection: Connection) throws(SQLiteError) -> Self {
    Sided(try TemporaryTable(definition, on: connection), try TemporaryTable(definition, on: connection))
  }
}
