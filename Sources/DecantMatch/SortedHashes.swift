internal import DecantStore
internal import DecantSQLite

/// The objects of a SELECT of hashes `h` and keys `k`, sorted by hash and then by key; objects without a hash are left
/// out.
///
/// They are sorted in runs of bounded size; if there are several, the runs are stored in a temporary table. This is
/// faster than SQLite's sorter, which handles rows of any kind: a merge that finds 600,000 of 1.2 million rows took a
/// sixth less time.
final class SortedHashes {
  /// The current object, after `step` returned true.
  private(set) var hash: Int64 = 0
  private(set) var key: Int64 = 0

  private let isReversed: Bool
  /// The sorted runs that still have objects, as a heap ordered by their next object.
  private var runs: [Run] = []
  private var next: Statement?
  private var table: TemporaryTable?

  /// An object; to reverse the order of keys, their complements are stored.
  private struct Entry {
    var hash: Int64
    var key: Int64

    static func < (one: Entry, other: Entry) -> Bool {
      one.hash != other.hash ? one.hash < other.hash : one.key < other.key
    }
  }

  /// A sorted sequence: the objects in memory, and the rows of the table that follow.
  private struct Run {
    var entries: [Entry]
    var position = 0
    var rows: Range<Int64>

    var first: Entry { entries[position] }
  }

  /// The number of objects that are sorted at once: a sixteenth of the memory limit.
  private static var runLength: Int { max(1024, Int(MemoryLimit.bytes / 256)) }
  /// The number of objects in a row of the table.
  private static let rowLength = 1024

  /// Reads all objects.
  ///
  /// - Parameters:
  ///   - select: The SELECT.
  ///   - isReversed: Whether the highest key comes first among equal hashes.
  ///   - connection: The connection with the store.
  /// - Throws: `SQLiteError` if the store cannot be read.
  init(_ select: String, isReversed: Bool = false, on connection: Connection) throws(SQLiteError) {
    self.isReversed = isReversed
    let limit = SortedHashes.runLength
    var entries: [Entry] = []
    var rowCount: Int64 = 0
    let rows = try connection.prepare("SELECT h, k FROM (\(select))")
    while try rows.step() {
      guard rows.type(at: 0) != .null else { continue }
      let key = rows.integer(at: 1)
      entries.append(Entry(hash: rows.integer(at: 0), key: isReversed ? ~key : key))
      guard entries.count == limit else { continue }
      runs.append(Run(entries: [], rows: try store(&entries, after: &rowCount, on: connection)))
    }
    entries.sort(by: <)
    for index in runs.indices { try fill(&runs[index]) }
    if !entries.isEmpty { runs.append(Run(entries: entries, rows: 0..<0)) }
    for index in runs.indices.reversed() { sink(index) }
  }

  /// Moves to the next object; returns false after the last.
  func step() throws(SQLiteError) -> Bool {
    guard !runs.isEmpty else { return false }
    let first = runs[0].first
    (hash, key) = (first.hash, isReversed ? ~first.key : first.key)
    runs[0].position += 1
    if runs[0].position == runs[0].entries.count, try !fill(&runs[0]) {
      runs[0] = runs[runs.count - 1]
      runs.removeLast()
    }
    if runs.count > 1 { sink(0) }
    return true
  }

  /// Restores the order of the heap below `index`.
  private func sink(_ index: Int) {
    var index = index
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2] where child < runs.count && runs[child].first < runs[least].first {
        least = child
      }
      guard least != index else { return }
      runs.swapAt(index, least)
      index = least
    }
  }

  /// Sorts `entries`, moves them to the table, and returns their rows.
  private func store(
    _ entries: inout [Entry],
    after rowCount: inout Int64,
    on connection: Connection
  ) throws(SQLiteError) -> Range<Int64> {
    let table: TemporaryTable
    if let made = self.table {
      table = made
    } else {
      table = try TemporaryTable("(number INTEGER PRIMARY KEY, entries BLOB)", on: connection)
      self.table = table
      next = try connection.prepare("SELECT entries FROM \(table) WHERE number = ?1")
    }
    entries.sort(by: <)
    let insertion = try connection.prepare("INSERT INTO \(table) VALUES (?1, ?2)")
    let first = rowCount
    for start in stride(from: 0, to: entries.count, by: SortedHashes.rowLength) {
      let part = entries[start..<min(start + SortedHashes.rowLength, entries.count)]
      insertion.bind(integer: rowCount, at: 1)
      let bytes = part.withUnsafeBytes { Array($0) }
      try insertion.bind(.blob(bytes), at: 2)
      while try insertion.step() {}
      insertion.reset()
      rowCount += 1
    }
    entries.removeAll(keepingCapacity: true)
    return first..<rowCount
  }

  /// Reads the next row of `run`; returns false at its end.
  @discardableResult
  private func fill(_ run: inout Run) throws(SQLiteError) -> Bool {
    guard !run.rows.isEmpty, let next else { return false }
    next.bind(integer: run.rows.lowerBound, at: 1)
    run.rows = run.rows.dropFirst()
    defer { next.reset() }
    guard try next.step() else {
      throw SQLiteError(code: SQLiteError.internalCode, message: "a row of sorted hashes is missing")
    }
    run.position = 0
    next.withBytes(at: 0) { bytes in
      run.entries = Array(unsafeUninitializedCapacity: bytes.count / MemoryLayout<Entry>.stride) { buffer, count in
        UnsafeMutableRawBufferPointer(buffer).copyMemory(from: bytes)
        count = bytes.count / MemoryLayout<Entry>.stride
      }
    }
    return true
  }
}
