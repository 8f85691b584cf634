internal import DecantPlan
package import DecantStore
package import DecantSQLite

/// The ordered lists of duplicates in the source: each is appended to the previous one.
///
/// The list of the object that is used comes first, then those of the others by their keys.
package final class JoinedLists {
  private var lookups: [String: (statement: Statement, table: TemporaryTable)] = [:]
  private let connection: Connection

  /// A list in the source, and its links as a SELECT of `owner` and `position`.
  package struct List {
    let name: String
    let rows: String
  }

  package init(on connection: Connection) { self.connection = connection }

  /// Returns the lists of `layout` that objects of `root` have.
  package static func lists(of root: String, in layout: Layout) -> [List] {
    layout.links.flatMap { link in
      [link, link.reversed(as: link.inverse ?? link.relationship)].compactMap { link -> List? in
        guard link.holder == root, let place = link.position else { return nil }
        return List(name: "\(link.table).\(place)", rows: link.rows(in: CopySession.source, bothWays: false))
      }
    }
  }

  /// Measures the lists of the objects in `duplicates`, a table with `source` and `representative`.
  package func measure(_ lists: [List], of duplicates: TemporaryTable) throws(SQLiteError) {
    for list in lists {
      let table = try TemporaryTable("(owner INTEGER PRIMARY KEY, moved INTEGER, behind INTEGER)", on: connection)
      try connection.run(
        """
        INSERT INTO \(table)
        WITH member AS (
          SELECT source AS owner, representative AS one, 1 AS late FROM \(duplicates)
          UNION ALL SELECT DISTINCT representative, representative, 0 FROM \(duplicates)
        ), span AS (
          SELECT m.owner, m.one, m.late, min(s.position) AS low, max(s.position) AS high
          FROM (\(list.rows)) AS s JOIN member AS m ON m.owner = s.owner
          WHERE s.position IS NOT NULL GROUP BY 1
        ), place AS (
          SELECT owner, low, first_value(low) OVER lists AS start,
            coalesce(sum(high - low + 1024) OVER (
              lists ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS behind
          FROM span WINDOW lists AS (PARTITION BY one ORDER BY late, owner)
        )
        SELECT owner, start - low + behind, behind FROM place
        """
      )
      let lookup = try connection.prepare("SELECT moved, behind FROM \(table) WHERE owner = ?1")
      lookups[list.name] = (lookup, table)
    }
  }

  /// Returns the number that is added to positions in the list of `key`, counted from its beginning or absolute.
  func shift(_ list: String, of key: Int64, fromBeginning: Bool) throws(SQLiteError) -> Int64 {
    guard let lookup = lookups[list]?.statement else { return 0 }
    defer { lookup.reset() }
    try lookup.bind(.integer(key), at: 1)
    return try lookup.step() ? lookup.integer(at: fromBeginning ? 1 : 0) : 0
  }
}

extension ColumnRole {
  /// The link to the object in whose list this is a position; `nil` for other columns.
  package var listLink: ColumnRole? {
    switch self {
    case .position(let property): .target(property)
    case .ownerPosition(let property): .owner(property)
    default: nil
    }
  }
}

/// The SQL function `list_shift(entity, key, list, fromBeginning)`: see `JoinedLists.shift`.
final class ListShiftFunction: ObjectFunction {
  override func give(
    _ key: Int64,
    _ map: IDMap,
    _ arguments: borrowing FunctionArguments,
    _ result: borrowing FunctionResult
  ) throws(SQLiteError) {
    let shift = try map.matchedObjects?.lists?.shift(
      arguments.text(at: 2),
      of: key,
      fromBeginning: arguments.integer(at: 3) == 1
    )
    result.set(shift ?? 0)
  }

  override func giveNone(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    result.set(Int64(0))
  }
}
