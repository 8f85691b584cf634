internal import DecantBase
internal import DecantPlan
package import DecantStore
internal import DecantSQLite

/// The objects of a store that `RejectedObjects.table` lists, for writing only these.
///
/// Links between them are written as links; links to other objects as references to the target's identity.
package struct ListedObjects {
  /// The alias of a row of the store in a join with the list.
  static let row = "decant_o"

  package let layout: Layout
  package let schema: String

  package init(layout: Layout, schema: String) {
    (self.layout, self.schema) = (layout, schema)
  }

  /// Returns the listed rows of the table of `relation`, in the order of their keys.
  package func rows(of relation: Relation, where condition: String?) -> String {
    let table = "\(relation.sqlTable(in: schema)) AS \(ListedObjects.row)"
    let list = "\(RejectedObjects.table) AS decant_j"
    let conditions = ["decant_root = \(relation.root.sqlText)", condition].compactMap(\.self)
    let (from, key, order) =
      switch relation.key {
      // The list is short, so it comes first in the join.
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

  /// Returns the row of `relation` with the key ?1.
  ///
  /// Not joined with the list, so that an expression that fails is computed for this row only.
  func row(of relation: Relation, where condition: String?) -> String {
    let key = relation.keyName
    let conditions = ["\(ListedObjects.row).\(key) = ?1", condition].compactMap(\.self)
    return "FROM \(relation.sqlTable(in: schema)) AS \(ListedObjects.row) "
      + "WHERE \(conditions.joined(separator: " AND "))"
  }

  /// Returns the columns of `entity` that cannot be read for the object with `key`.
  ///
  /// - Throws: `SQLiteError` if the values are not the cause.
  func unreadable(of key: Int64, _ entity: ArchivedEntity, on connection: Connection)
    throws(SQLiteError) -> Set<String>
  {
    let links = entity.links + entity.owners
    let columns =
      (entity.values + entity.others).map(\.column) + links.map(\.column)
      + links.compactMap(\.entity) + links.compactMap(\.position)
      + [entity.revision].compactMap(\.self)
    var found: Set<String> = []
    for column in columns {
      do throws(SQLiteError) {
        let value = column.name.sqlName(of: ListedObjects.row)
        let row = try connection.prepare(
          "SELECT \(value) "
            + row(of: entity.relation, where: entity.relation.condition(for: entity.code))
        )
        try row.bind([.integer(key)])
        while try row.step() {}
      } catch {
        guard error.refusesRow else { throw error }
        found.insert(column.name)
      }
    }
    return found
  }

  /// Returns the condition that the object of `root` with the key `value` is listed.
  func contains(_ value: String, of root: String) -> String {
    "EXISTS (SELECT 1 FROM \(RejectedObjects.table) "
      + "WHERE decant_root = \(root.sqlText) AND decant_key = \(value))"
  }

  /// Returns the condition that a link with the key `value` is written unchanged.
  ///
  /// That is the case if its target is written as well, or does not exist.
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
  /// Returns the column of this name in the row called `row`.
  func sqlName(of row: String) -> String { "\(row).\(sqlName)" }
}

/// A listed object that is read individually.
struct ListedObject {
  let key: Int64
  let code: String
  let reason: String
  /// The columns that cannot be read.
  var unreadable: Set<String> = []
}

/// Records which of the listed objects were written.
final class ListedProgress {
  private let connection: Connection
  private let insertion: Statement

  /// Keeps the record in a temporary table of `connection`.
  init(on connection: Connection) throws(SQLiteError) {
    self.connection = connection
    try connection.run("CREATE TEMP TABLE decant_told (root TEXT, key, PRIMARY KEY (root, key)) WITHOUT ROWID")
    insertion = try connection.prepare("INSERT OR IGNORE INTO temp.decant_told VALUES (?1, ?2)")
  }

  /// Records that an object was written.
  func note(_ root: String, _ key: Binding) throws(SQLiteError) {
    try insertion.run(.text(root), key)
  }

  /// Returns the first objects of `root` after `key` that were not written and have integer keys.
  func unreported(of root: String, after key: Int64?, limit: Int64 = 1000) throws(SQLiteError) -> [ListedObject] {
    var objects: [ListedObject] = []
    let rows = try connection.prepare(
      """
      SELECT decant_key, decant_code, decant_reason FROM \(RejectedObjects.table)
      WHERE decant_root = ?1 AND typeof(decant_key) = 'integer' AND (?2 IS NULL OR decant_key > ?2) AND NOT EXISTS
        (SELECT 1 FROM temp.decant_told AS t WHERE t.root = decant_root AND t.key = decant_key)
      ORDER BY decant_key LIMIT ?3
      """
    )
    try rows.bind([.text(root), key.map { .integer($0) } ?? .null, .integer(limit)])
    while try rows.step() {
      objects.append(
        ListedObject(key: rows.integer(at: 0), code: rows.text(at: 1) ?? "", reason: rows.text(at: 2) ?? "")
      )
    }
    return objects
  }

  /// Calls `body` with root, key, code and reason of each object that was not written.
  func forEachUnreported(_ body: (String, Binding, String, String) -> Void) throws(SQLiteError) {
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
