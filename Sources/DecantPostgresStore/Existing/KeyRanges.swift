internal import DecantBase
internal import DecantPostgres
internal import DecantStore

/// The keys of new rows in tables whose keys are assigned by sequences.
///
/// An app may have taken a number without having inserted its row yet. So the numbers of new rows are taken from the
/// sequence, in one contiguous range. An abandoned range is a harmless gap.
///
/// The numbers are taken by `nextval`, and not by changing the increment: that does not require the owner's rights, and
/// does not wait for a session that has taken a number in an open transaction and is waiting for the tables.
final class KeyRanges {
  private struct Counter {
    let sequence: ServerCatalog.Sequence
    /// The last number that was taken.
    var last: Int64
    /// The end of the range that was taken for new rows.
    var end: Int64
  }

  /// The column of a key.
  struct Column {
    /// The names of the table and the column.
    let name: String
    /// The name of the type.
    let type: String
    /// The sequence that assigns values, if there is one.
    let sequence: ServerCatalog.Sequence?

    /// The largest number that it can hold.
    var limit: Int64 {
      switch type {
      case "smallint": Int64(Int16.max)
      case "integer": Int64(Int32.max)
      default: Int64.max
      }
    }
  }

  private let server: Server
  private let connection: PostgresConnection
  private var counters: [String: Counter] = [:]
  private var columns: [String: Column] = [:]
  /// For each root entity, the highest key that others may have taken.
  private(set) var taken: [String: Int64] = [:]
  /// Whether others have taken keys since the plan was made.
  private(set) var hasMoved = false

  /// The maximum number of keys that are taken one by one.
  private static let limit: Int64 = 10_000_000
  /// The number of keys that others may take while the sequence is being set, as they do not wait for that.
  private static let margin: Int64 = 1_000_000

  init(_ server: Server, _ connection: PostgresConnection) { (self.server, self.connection) = (server, connection) }

  /// Whether a sequence assigns the keys of the root entity `root`.
  func hasSequence(_ root: String) -> Bool { columns[root]?.sequence != nil }

  /// Records the columns of the keys, by root entity, and reads their sequences if `sequences` is true.
  func read(_ columns: [String: Column], sequences: Bool) throws(DecantError) {
    self.columns = columns
    guard sequences else { return }
    for (root, column) in columns {
      guard let sequence = column.sequence else { continue }
      guard sequence.increment > 0 else {
        throw DecantError(
          .unsupportedContent,
          "the sequence \(sequence.name) counts down",
          place: "\(server.place)",
          remedy: "copy the table into another schema"
        )
      }
      let row = try server.explaining("cannot read the sequence \(sequence.name)") { () throws(PostgresError) in
        try connection.rows("SELECT last_value, is_called FROM \(sequence.name)").first ?? []
      }
      let value = row[0].flatMap { Int64($0) } ?? 0
      let last = row[1] == "t" ? value : value - sequence.increment
      counters[root] = Counter(sequence: sequence, last: last, end: last)
      // Some apps use all numbers from the one that they get to just below the next one.
      taken[root] = KeyRanges.sum(last, sequence.increment - 1)
    }
  }

  /// Throws if a column cannot hold the highest key of a plan, by root entity.
  func checkRoom(upTo highest: [String: Int64]) throws(DecantError) {
    for (root, highest) in highest {
      guard let column = columns[root], highest > column.limit else { continue }
      throw DecantError(
        .unsupportedContent,
        "new rows need keys above all existing ones, up to \(highest), and \(column.name) is \(column.type), which ends at "
          + "\(column.limit)",
        place: "\(server.place)",
        remedy: "change the highest key to a lower one, or the column the type bigint; nothing was changed"
      )
    }
  }

  /// Takes the keys of the planned rows from the sequences.
  ///
  /// - Parameters:
  ///   - highest: The highest key of the plan for each root entity that gets rows.
  ///   - planned: The highest keys that the plan considered assigned.
  /// - Throws: `DecantError` if there is no such range.
  func take(upTo highest: [String: Int64], after planned: [String: Int64]) throws(DecantError) {
    for (root, highest) in highest {
      guard var counter = counters[root] else { continue }
      let allocated = planned[root] ?? 0
      guard highest > max(allocated, counter.last) else { continue }
      let spread = highest - allocated
      let start = try take(KeyRanges.difference(highest, counter.last), spread, allocated, &counter)
      if start > allocated {
        taken[root] = start
        hasMoved = true
      }
      counters[root] = counter
    }
  }

  /// Takes at least `count` numbers, of which at least `spread` are greater than `allocated`; returns the number before
  /// the first one that may be used.
  private func take(_ count: Int64, _ spread: Int64, _ allocated: Int64, _ counter: inout Counter)
    throws(DecantError) -> Int64
  {
    let sequence = counter.sequence
    let context = "cannot take keys from \(sequence.name)"
    guard count <= KeyRanges.limit else {
      let start = max(allocated, KeyRanges.sum(counter.last, KeyRanges.margin))
      counter.end = KeyRanges.sum(start, spread)
      guard counter.end <= sequence.limit else { throw exhausted(sequence, counter.end) }
      try server.explaining(context) { () throws(PostgresError) in
        _ = try connection.run(
          "SELECT pg_catalog.setval($1::pg_catalog.oid::pg_catalog.regclass, $2)",
          [sequence.number, String(counter.end)]
        )
      }
      return start
    }
    // Numbers taken from a sequence that reaches its end on the way would be lost.
    let left = KeyRanges.difference(sequence.limit, counter.last) / sequence.increment
    let steps = min(count / sequence.increment + 2, left)
    let start = max(allocated, KeyRanges.sum(counter.last, sequence.increment - 1))
    guard steps > 0, KeyRanges.sum(start, spread) <= counter.last + steps * sequence.increment else {
      throw exhausted(sequence, KeyRanges.sum(start, spread))
    }
    for _ in 0..<20 {
      let row = try server.explaining(context) { () throws(PostgresError) in
        try connection.rows(
          """
          SELECT pg_catalog.min(v), pg_catalog.max(v) FROM (
            SELECT pg_catalog.nextval($1::pg_catalog.oid::pg_catalog.regclass) AS v
            FROM pg_catalog.generate_series(1, $2::bigint)) AS t
          """,
          [sequence.number, String(steps)]
        ).first ?? []
      }
      guard let first = row[0].flatMap({ Int64($0) }), let last = row[1].flatMap({ Int64($0) }) else { continue }
      let start = max(allocated, first - 1)
      // Otherwise another session has taken numbers in between.
      if last - first == (steps - 1) * sequence.increment, last - start >= spread {
        counter.end = last
        return start
      }
    }
    throw DecantError(
      .storeLocked,
      "cannot reserve \(steps) consecutive keys of \(sequence.name): other programs keep taking numbers",
      place: "\(server.place)",
      remedy: .again
    )
  }

  private func exhausted(_ sequence: ServerCatalog.Sequence, _ highest: Int64) -> DecantError {
    DecantError(
      .unsupportedContent,
      "new rows need keys above all existing ones, up to \(highest), and the sequence \(sequence.name) ends at \(sequence.limit)",
      place: "\(server.place)",
      remedy:
        "change the highest key to a lower one, or raise the end: ALTER SEQUENCE \(sequence.name) AS bigint NO "
        + "MAXVALUE; nothing was changed"
    )
  }

  /// Throws if a plan has keys that were not taken; the parameters are those of `take`.
  func check(_ highest: [String: Int64], after planned: [String: Int64], place: String) throws(DecantError) {
    for (root, highest) in highest {
      guard let counter = counters[root], highest > max(counter.end, planned[root] ?? 0) else { continue }
      throw DecantError(
        .storeChanged, "“\(place)” was changed while the copy was planned",
        remedy: "close the program that is writing it, then \(.again)")
    }
  }

  /// Advances a sequence beyond `highest`, a number that it did not assign; it never goes back.
  func advance(_ sequence: ServerCatalog.Sequence, beyond highest: Int64) throws(DecantError) {
    try server.explaining("cannot take keys from \(sequence.name)") { () throws(PostgresError) in
      let value = try connection.text(
        "SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END FROM \(sequence.name)")
      let last = value.flatMap { Int64($0) } ?? 0
      guard sequence.increment > 0, last < highest else { return }
      let count = KeyRanges.difference(highest, last)
      let number = [sequence.number, String(count <= KeyRanges.limit ? (count - 1) / sequence.increment + 1 : highest)]
      try connection.run(
        count <= KeyRanges.limit
          ? """
          SELECT pg_catalog.max(pg_catalog.nextval($1::pg_catalog.oid::pg_catalog.regclass))
          FROM pg_catalog.generate_series(1, $2::bigint)
          """ : "SELECT pg_catalog.setval($1::pg_catalog.oid::pg_catalog.regclass, $2)", number)
    }
  }

  private static func sum(_ a: Int64, _ b: Int64) -> Int64 {
    let (sum, overflow) = a.addingReportingOverflow(b)
    return overflow ? Int64.max : sum
  }

  private static func difference(_ a: Int64, _ b: Int64) -> Int64 {
    let (difference, overflow) = a.subtractingReportingOverflow(b)
    return overflow ? Int64.max : difference
  }
}
