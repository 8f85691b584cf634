internal import DecantBase
internal import DecantPlan
internal import DecantPostgres
internal import DecantSQLite
internal import DecantServerSchema
internal import DecantStore

/// The rows on a server that break rules of the tables into which they are read: rules that the server does not have,
/// such as a collation of a unique column, or no longer has.
final class BrokenRules {
  /// The rows of a table that SQLite refuses.
  private struct Refusal {
    let table: ServerSchema.Table
    /// SQLite's first reason.
    let reason: String
    var count: Int64 = 0
    /// The first rows, by their keys.
    var rows: [String] = []
  }

  private let server: Server
  /// Whether the tables are those of a database that was copied.
  private let isRestored: Bool
  /// Whether a row that is refused ends the reading.
  private let isStrict: Bool
  private var refusals: [Refusal] = []
  private var violations: [(table: ServerSchema.Table, count: Int64)] = []

  init(of server: Server, isRestored: Bool = false, isStrict: Bool = false) {
    (self.server, self.isRestored, self.isStrict) = (server, isRestored, isStrict)
  }

  /// Records a row that the table of `transfer` refuses.
  func refuse(_ row: BinaryRows, of transfer: RowTransfer, _ error: SQLiteError) throws(DecantError) {
    if refusals.last?.table.name != transfer.table.name {
      refusals.append(Refusal(table: transfer.table, reason: error.message))
    }
    let last = refusals.count - 1
    refusals[last].count += 1
    if refusals[last].rows.count < 5, let name = transfer.name(of: row) { refusals[last].rows.append(name) }
    if isStrict, let error = refusal() { throw error }
  }

  /// Records the number of rows that break conditions (CHECK) of a table.
  func add(violations count: Int64, of table: ServerSchema.Table) {
    if count > 0 { violations.append((table, count)) }
  }

  /// Returns the error that rows of `tables`, with names in lower case, cannot be read; `nil` if all can.
  func refusal(in tables: Set<String>? = nil) -> DecantError? {
    let found = refusals.filter { tables?.contains($0.table.own.lowercased()) != false }
    guard !found.isEmpty else { return nil }
    let list = found.map { refusal in
      let rest = refusal.count - Int64(refusal.rows.count)
      let rows = refusal.rows + (rest == 0 ? [] : ["\(rest) more"])
      let names = refusal.rows.isEmpty ? "" : " (\(rows.joined(separator: "; ")))"
      return "\(refusal.count.counted("row")) of \(refusal.table.name)\(names): \(refusal.reason)"
    }
    return DecantError(
      .unsupportedContent,
      "the tables of the store refuse \(list.joined(separator: "; "))",
      place: server.place,
      remedy: "change or delete them in the database, which allows them"
        + (isRestored ? "; or \(StoreRecord.forgetting(server))" : "")
    )
  }

  /// What `doctor` reports.
  var problems: [StoreProblem] {
    refusals.map {
      StoreProblem(
        .rowsRefused,
        subject: $0.table.name,
        count: $0.count,
        text: "\($0.table.name): \($0.count.counted("row")) that the table of the store refuses: \($0.reason)"
      )
    }
      + violations.map {
        StoreProblem(.conditionsBroken, subject: $0.table.name, count: $0.count, text: BrokenRules.text($0))
      }
  }

  /// The notes for the reader.
  var notes: [ReportNote] { violations.map { ReportNote(.conditionsBroken, BrokenRules.text($0)) } }

  private static func text(_ found: (table: ServerSchema.Table, count: Int64)) -> String {
    "\(found.table.name): \(found.count.counted("row")) \(found.count == 1 ? "breaks" : "break") a condition (CHECK) of the "
      + "table"
  }
}
