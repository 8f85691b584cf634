internal import Decant
internal import SQLite

/// The objects of a store that `RejectedObjects.table` lists: what is written where that is not all.
///
/// Links between them are links; those that lead elsewhere are told by what the object there is known by.
struct ListedObjects {
  /// What a row of the store is called beside one of the list.
  static let row = "decant_o"

  let layout: Layout
  let schema: String

  /// The listed rows of the table of `relation`, in the order of their keys.
  func rows(of relation: Relation, where condition: String?) -> String {
    let table = "\(relation.sqlTable(in: schema)) AS \(ListedObjects.row)"
    let list = "\(RejectedObjects.table) AS decant_j"
    let conditions = ["decant_root = \(relation.root.sqlText)", condition].compactMap(\.self)
    let (from, key, order) =
      switch relation.key {
      // Few of many: the list leads.
      case .integer(let column, _):
        ("\(list) CROSS JOIN \(table)", column.sqlName(of: ListedObjects.row), ["decant_key"])
      case .values(let columns):
        (
          "\(table) CROSS JOIN \(list)",
          RejectedObjects.keyText(columns.map { $0.sqlName(of: ListedObjects.row) }),
          columns.map { $0.sqlName(of: ListedObjects.row) }
        )
      case .none: ("\(table) CROSS JOIN \(list)", "NULL", ["1"])
      }
    return
      "FROM \(from) WHERE \((["\(key) = decant_key"] + conditions).joined(separator: " AND ")) "
      + "ORDER BY \(order.joined(separator: ", "))"
  }

  /// Whether the object of `root` with the key `value` is listed.
  func contains(_ value: String, of root: String) -> String {
    "EXISTS (SELECT 1 FROM \(RejectedObjects.table) "
      + "WHERE decant_root = \(root.sqlText) AND decant_key = \(value))"
  }

  /// Whether a link with the key `value` is written as it stands: it leads to an object that is written as
  /// well, or nowhere.
  func keeps(_ value: String, to root: String?) -> String {
    guard let root, let target = layout.relation(of: root), let key = target.keyColumn else {
      return "1"
    }
    return "(\(contains(value, of: root)) OR NOT EXISTS (SELECT 1 FROM "
      + "\(target.sqlTable(in: schema)) AS decant_t "
      + "WHERE \(key.sqlName(of: "decant_t")) = \(value)))"
  }
}

extension String {
  /// The column of this name in the row called `row`.
  func sqlName(of row: String) -> String { "\(row).\(sqlName)" }
}

/// What was written of the objects that are listed.
final class ListedProgress {
  private let connection: Connection
  private let insertion: Statement

  /// Remembers it in a temporary table of `connection`.
  init(on connection: Connection) throws(SQLiteError) {
    self.connection = connection
    try connection.run(
      "CREATE TEMP TABLE decant_told (root TEXT, key, PRIMARY KEY (root, key)) WITHOUT ROWID"
    )
    insertion = try connection.prepare("INSERT OR IGNORE INTO temp.decant_told VALUES (?1, ?2)")
  }

  /// Notes that an object was written.
  func note(_ root: String, _ key: Binding) throws(SQLiteError) {
    try insertion.run(.text(root), key)
  }

  /// Calls `body` with root, key, code and reason of what was not written.
  func forEachUntold(_ body: (String, Binding, String, String) -> Void) throws(SQLiteError) {
    try connection.forEachRow(
      """
      SELECT decant_root, decant_key, decant_code, decant_reason FROM \(RejectedObjects.table)
      WHERE NOT EXISTS
        (SELECT 1 FROM temp.decant_told AS t WHERE t.root = decant_root AND t.key = decant_key)
      """
    ) { row in
      body(row.text(at: 0) ?? "", row.value(at: 1), row.text(at: 2) ?? "", row.text(at: 3) ?? "")
    }
  }
}
