internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The rows that triggers of the destination add or delete during a copy.
///
/// If an app's triggers fill an audit table, and the source's rows of that table are copied as well, the table gets
/// both. A virtual table that is filled by triggers gets only their rows.
struct TriggeredRows {
  private let connection: Connection
  private let destination: any DestinationStore
  /// The number of rows before the copy, by root entity.
  private let before: [String: Int64]
  /// The number of rows before the copy of the virtual tables that triggers fill, by table.
  private let filled: [String: Int64]

  /// Counts the rows of the tables in which triggers add or delete rows.
  init(_ destination: any DestinationStore, on connection: Connection) throws(DecantError) {
    (self.destination, self.connection) = (destination, connection)
    before = try TriggeredRows.counts(destination, connection)
    var filled: [String: Int64] = [:]
    for relation in destination.layout.relations where relation.isFilledByTriggers && !destination.isNew {
      filled[relation.table] = try TriggeredRows.count("main", relation.table, connection)
    }
    self.filled = filled
  }

  private static func count(_ schema: String, _ table: String, _ connection: Connection) throws(DecantError) -> Int64? {
    try explaining("cannot count the rows of \(table)") { () throws(SQLiteError) in
      let isThere = "SELECT count(*) FROM \(schema).sqlite_schema WHERE name = ?1 COLLATE NOCASE"
      guard try connection.integer(isThere, .text(table)) == 1 else { return nil }
      return try connection.integer("SELECT count(*) FROM \(schema).\(table.sqlName)")
    }
  }

  private static func counts(_ destination: any DestinationStore, _ connection: Connection)
    throws(DecantError) -> [String: Int64]
  {
    guard !destination.isNew else { return [:] }
    return try explaining("cannot count the rows that triggers add") { () throws(SQLiteError) in
      var counts: [String: Int64] = [:]
      let about = destination.about
      for root in Set(about.addingTriggers.keys).union(about.removingTriggers.keys) {
        guard let relation = destination.layout.relation(of: root) else { continue }
        counts[root] = try connection.integer("SELECT count(*) FROM \(relation.sqlTable(in: "main"))")
      }
      return counts
    }
  }

  /// Returns notes on rows of the source's virtual tables that no trigger has added, after a copy of all rows.
  func lostNotes() throws(DecantError) -> [ReportNote] {
    var notes: [ReportNote] = []
    for (table, before) in filled.sorted(by: { $0.key < $1.key }) {
      guard let there = try TriggeredRows.count(CopySession.source, table, connection),
        let now = try TriggeredRows.count("main", table, connection)
      else { continue }
      let lost = there - (now - before)
      guard lost > 0 else { continue }
      notes.append(
        ReportNote(
          .triggersRun,
          "\(lost.counted("row")) of \(table) in the source \(lost == 1 ? "was" : "were") not copied: triggers fill this table, "
            + "and no copied row has them add \(lost == 1 ? "this one" : "these")",
          remedy: "to copy all of its rows instead, use \(say: .noTriggers)"
        )
      )
    }
    return notes
  }

  /// Returns notes after all rows are written; `report` has their numbers.
  func notes(_ report: CopyReport) throws(DecantError) -> [ReportNote] {
    try TriggeredRows.counts(destination, connection).sorted { $0.key < $1.key }.compactMap { root, count in
      let own = report.entities.first { $0.name == root }
      let copied = (own?.copied ?? 0) + (own?.stubs ?? 0)
      let added = count - (before[root] ?? 0) - copied
      return added < 0 && report.removedObjectCount + report.removedPartCount == 0
        ? removalNote(root, -added)
        : TriggeredRows.note(destination, root, added: added, copied: copied)
    }
  }

  private static func named(_ triggers: [String]) -> String {
    "\(triggers.count == 1 ? "the trigger" : "the triggers") \(triggers.sorted().joined(separator: ", "))"
  }

  private func removalNote(_ root: String, _ count: Int64) -> ReportNote? {
    guard let names = destination.about.removingTriggers[root] else { return nil }
    return ReportNote(
      .triggersRun,
      "\(TriggeredRows.named(names)) deleted \(count.counted("row")) of \(root), as the app's own writing would",
      remedy: "\(say: .noTriggers) keeps them"
    )
  }

  /// Returns notes before anything is written, on copied tables to which triggers may add rows.
  static func notes(_ destination: any DestinationStore, foretelling report: CopyReport) -> [ReportNote] {
    guard !destination.isNew, report.entities.contains(where: { $0.copied > 0 }) else { return [] }
    return destination.about.addingTriggers.keys.sorted().compactMap { root in
      note(destination, root, added: nil, copied: report.entities.first { $0.name == root }?.copied ?? 0)
    }
  }

  private static func note(_ destination: any DestinationStore, _ root: String, added: Int64?, copied: Int64)
    -> ReportNote?
  {
    guard added.map({ $0 > 0 }) ?? (copied > 0), let names = destination.about.addingTriggers[root] else { return nil }
    let triggers = named(names)
    let beside = copied > 0 ? ", besides the \(copied.counted("row")) copied from the source" : ""
    let words =
      added.map { "\(triggers) added \($0.counted("row")) to \(root)\(beside)" }
      ?? "\(triggers) may add rows to \(root)\(beside)"
    return ReportNote(
      .triggersRun,
      "\(words)",
      remedy: copied > 0 ? "\(say: .noTriggers) writes only the source's rows" : nil
    )
  }
}
