internal import DecantPostgres
internal import DecantSQLite
internal import DecantServerSchema

/// An order of a table's rows that is the same on the server and in the database from which they were sent: by all
/// values that both sort in the same way, those of the key first.
///
/// The server stores rows wherever there is room: short ones fill the gaps that long ones left.
struct RowOrder {
  private let columns: [ServerSchema.Column]

  /// Orders the rows of `table`, ignoring the large values in the columns at `large`.
  init(_ table: ServerSchema.Table, without large: [Int] = []) {
    let keys = table.key.compactMap { name in table.columns.first { $0.name == name } }
    let others = table.columns.enumerated().filter { !large.contains($0.offset) && $0.element.sortsAlike }.map(
      \.element)
    // A text that is a key in SQLite may be NULL in several rows.
    let isWhole =
      !keys.isEmpty && keys.allSatisfy { $0.sortsAlike && [.smallint, .integer, .bigint].contains($0.type) }
    columns = isWhole ? keys : keys.filter(\.sortsAlike) + others.filter { !keys.contains($0) }
  }

  /// The clause in SQLite, for `connection`.
  func here(on connection: Connection) throws(SQLiteError) -> String {
    // In UTF-16, surrogates sort before some characters that are single units.
    let isUTF8 = try connection.text("PRAGMA main.encoding") == "UTF-8"
    if !isUTF8 { try connection.addUTF8Collation() }
    return clause { column in
      "\(column.own.sqlName)\(column.type == .text ? " COLLATE \(isUTF8 ? "BINARY" : "utf8")" : "")"
    }
  }

  /// The clause on the server.
  var onServer: String {
    clause { column in
      "\(ServerNames.quoted(column.name))\(column.type == .text ? " COLLATE \"C\"" : "") NULLS FIRST"
    }
  }

  private func clause(_ term: (ServerSchema.Column) -> String) -> String {
    columns.isEmpty ? "" : " ORDER BY \(columns.map(term).joined(separator: ", "))"
  }
}

extension ServerSchema.Column {
  /// Whether the server and SQLite sort its values in the same way.
  fileprivate var sortsAlike: Bool { form == nil && expression == nil }
}
