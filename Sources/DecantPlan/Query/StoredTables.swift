internal import DecantStore
internal import DecantSQLite

/// The views and virtual tables of a store, which a query reads under their own names.
///
/// Only those that a statement mentions are examined; of the others only the names are known.
package struct StoredTables: Sendable {
  /// A virtual table, such as a full-text index.
  struct Virtual: Sendable {
    let name: String
    /// The statement that creates an empty table with the same names.
    let outline: String
    /// Its shadow tables, in lower case.
    let shadows: [String]
  }

  /// The store's views.
  private(set) var views: [EntityView] = []
  /// The store's virtual tables.
  private(set) var virtual: [Virtual] = []
  /// The names of all readable tables, whether mentioned or not.
  private(set) var names: [String] = []
  /// The reasons why mentioned tables cannot be read, by name in lower case.
  private(set) var faults: [String: String] = [:]
  /// The names of all virtual tables, in lower case.
  private var virtualNames: Set<String> = []

  /// Creates an empty value, for conditions.
  init() {}

  /// Finds the tables that `tokens` mention in the store attached as `schema`.
  ///
  /// - Parameters:
  ///   - tokens: A user's statement.
  ///   - schema: The schema of the store on `connection`.
  ///   - connection: The connection for compiling statements on it. It must have no authorizer: a module reads its own
  ///     tables on first use.
  ///   - layout: The layout of the store, for the types of a view's columns.
  /// - Throws: `SQLiteError` if the schema cannot be read.
  init(
    mentionedIn tokens: SQLTokens,
    of schema: String,
    on connection: Connection,
    layout: Layout
  ) throws(SQLiteError) {
    let mentioned = Set(tokens.tokens.compactMap { $0.name?.lowercased() })
    var stored: [(name: String, isView: Bool, words: SQLTokens)] = []
    try connection.forEachRow(
      """
      SELECT name, type, sql FROM \(schema.sqlName).sqlite_schema
      WHERE type = 'view' OR (type = 'table' AND coalesce(rootpage, 0) = 0) ORDER BY name
      """
    ) { row in
      guard let name = row.text(at: 0), let sql = row.text(at: 2) else { return }
      stored.append((name, row.text(at: 1) == "view", SQLTokens(sql)))
    }
    let viewNames = Set(stored.filter(\.isView).map { $0.name.lowercased() })
    for (name, isView, words) in stored {
      if !isView { virtualNames.insert(name.lowercased()) }
      guard isView || StoredTables.modules.contains(words.module) else {
        faults[name.lowercased()] = "decant does not support its module \(words.module)"
        continue
      }
      names.append(name)
      guard mentioned.contains(name.lowercased()) else { continue }
      do throws(SQLiteError) {
        if isView {
          let isSimple = words.readsStraight(but: name, viewNames)
          views.append(try StoredTables.view(name, schema, connection, isSimple ? layout : nil))
        } else {
          virtual.append(try StoredTables.virtual(name, words.module, schema, connection))
        }
      } catch {
        guard error.isStatement else { throw error }
        faults[name.lowercased()] = error.message.replacing("\(schema).", with: "")
      }
    }
  }

  /// Returns whether the table named `table` is virtual.
  func isVirtual(_ table: String?) -> Bool {
    table.map { virtualNames.contains($0.lowercased()) } ?? false
  }

  /// Returns the same without the virtual tables whose names `isFree` rejects.
  func with(_ isFree: (String) -> Bool) -> StoredTables {
    var stored = self
    stored.virtual = virtual.filter { isFree($0.name) }
    return stored
  }

  /// The modules that read only the database itself.
  private static let modules: Set<String> = [
    "fts3", "fts4", "fts4aux", "fts5", "fts5vocab", "rtree", "rtree_i32",
  ]

  /// Returns a view of the store; its columns have types if `layout` is given and they are taken unchanged from a
  /// table.
  private static func view(
    _ name: String,
    _ schema: String,
    _ connection: Connection,
    _ layout: Layout?
  ) throws(SQLiteError) -> EntityView {
    let all = try connection.prepare("SELECT * FROM \(schema.sqlName).\(name.quotedName)")
    let columns = (0..<all.columnCount).map { position in
      let column = all.columnName(at: position)
      let type = all.origin(at: position).flatMap { layout?.type(of: $0.column, in: $0.table) }
      return EntityView.Column(name: column, expression: column.quotedName, type: type)
    }
    return EntityView(name: name, entity: name, columns: columns, table: .stored(name))
  }

  private static func virtual(
    _ name: String,
    _ module: String,
    _ schema: String,
    _ connection: Connection
  ) throws(SQLiteError) -> Virtual {
    var columns: [String] = []
    var hidden: [String] = []
    try connection.forEachRow("PRAGMA \(schema.sqlName).table_xinfo(\(name.quotedName))") { row in
      guard let column = row.text(at: 1) else { return }
      if row.integer(at: 6) == 0 { columns.append(column) } else { hidden.append(column) }
    }
    // The module reads its tables now, before a statement is checked.
    _ = try connection.prepare("SELECT * FROM \(schema.sqlName).\(name.quotedName)")
    let list = columns.map(\.quotedName).joined(separator: ", ")
    let own = [name.lowercased(), "docid", "rank"]
    let language = hidden.first { !own.contains($0.lowercased()) }
    let outline =
      switch module {
      case "fts5": "CREATE VIRTUAL TABLE temp.\(name.quotedName) USING fts5(\(list))"
      case "fts3", "fts4":
        "CREATE VIRTUAL TABLE temp.\(name.quotedName) USING fts4(\(list)"
          + (language.map { ", languageid=\($0.quotedName)" } ?? "") + ")"
      default: "CREATE TEMP TABLE \(name.quotedName) (\(list))"
      }
    return Virtual(name: name, outline: outline, shadows: ShadowTables.names(of: name, module: module))
  }
}

extension SQLTokens {
  /// The module of the CREATE VIRTUAL TABLE statement, in lower case.
  package var module: String {
    guard let using = tokens.firstIndex(where: { $0.word == "using" }) else { return "" }
    return tokens[(using + 1)...].first?.name?.lowercased() ?? ""
  }

  /// Returns whether the view `name` is not a compound and reads none of `views`: for a compound SQLite reports the
  /// origin of only one part.
  fileprivate func readsStraight(but name: String, _ views: Set<String>) -> Bool {
    tokens.allSatisfy { token in
      guard !["union", "intersect", "except"].contains(token.word) else { return false }
      guard let other = token.name?.lowercased() else { return true }
      return other == name.lowercased() || !views.contains(other)
    }
  }
}

extension Layout {
  /// Returns the type of an attribute by its column; `nil` if the column has another role or an encoding.
  fileprivate func type(of column: String, in table: String) -> ColumnType? {
    let relation = relations.first { $0.table.lowercased() == table.lowercased() }
    let column = relation?.columns.first { $0.name.lowercased() == column.lowercased() }
    guard let column, column.columnRole.property != nil, column.encoding == .asIs,
      let type = column.type
    else { return nil }
    return ColumnType(attribute: type, isExternal: column.isExternal)
  }
}
