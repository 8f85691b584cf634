import Decant
import Foundation
import GRDB

/// A table with three scalar fields, as both libraries read it.
struct Note: EntityObject {
  static let entity = "note"
  static let properties: [String]? = ["rank", "score", "stamp"]
  let id: ObjectID<Note>
  let rank: Int64
  let score: Double
  let stamp: Int64

  init(_ row: borrowing ObjectRow) throws(DecantError) {
    id = try row.id()
    rank = try row.value(0)
    score = try row.value(1)
    stamp = try row.value(2)
  }

  struct Fields: ObjectFields {
    private let path: ObjectPath
    init(_ path: ObjectPath) { self.path = path }
    var rank: Field<Int64> { path.field("rank") }
  }
}

struct GRDBNote: FetchableRecord {
  let id: Int64
  let rank: Int64
  let score: Double
  let stamp: Int64

  init(row: GRDB.Row) {
    id = row[0]
    rank = row[1]
    score = row[2]
    stamp = row[3]
  }
}

let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000_000
let folder = FileManager.default.temporaryDirectory.appendingPathComponent("objects-benchmark-\(getpid())")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
let path = folder.appendingPathComponent("notes.db").path
do {
  let queue = try DatabaseQueue(path: path)
  try queue.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA journal_mode = wal") }
  try queue.write { db in
    try db.execute(
      sql:
        "CREATE TABLE note (id INTEGER PRIMARY KEY, rank INTEGER NOT NULL, score REAL NOT NULL, stamp INTEGER NOT NULL)"
    )
    try db.execute(
      sql: """
        WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
        INSERT INTO note SELECT i, i * 7919 % 1000003, i / 3.0, i * 31 FROM n
        """,
      arguments: [count]
    )
    try db.execute(sql: "CREATE INDEX by_rank ON note (rank)")
  }
}

/// The fastest of five runs, in seconds.
func fastest(_ body: () throws -> Void) rethrows -> Double {
  var best = Double.infinity
  for _ in 1...5 {
    let start = ContinuousClock.now
    try body()
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    best = min(best, Double(seconds) + Double(attoseconds) / 1e18)
  }
  return best
}

let store = try Store(path)
let pool = try DatabasePool(path: path)
let keys = (0..<50).map { Int64($0 * 7919 % count + 1) }
var sum: Int64 = 0
var missed = 0

/// Prints one measurement, in seconds, beside GRDB's and its goal.
@MainActor func line(_ name: String, _ decant: Double, _ grdb: Double, _ goal: String, _ isMet: Bool) {
  func text(_ seconds: Double) -> String { String(format: "%9.3f ms", seconds * 1000) }
  if !isMet { missed += 1 }
  print(
    name.padding(toLength: 34, withPad: " ", startingAt: 0),
    text(decant), " GRDB", text(grdb), " ratio", String(format: "%.2f", decant / grdb),
    " \(goal):", isMet ? "met" : "MISSED"
  )
}

print("\(count) rows of three scalar fields, WAL, release build, fastest of 5, warm cache; SQLite \(sqliteVersion())")

let lookups = try fastest { for key in keys { sum += try store.object(ObjectID<Note>(key))?.rank ?? 0 } }
let grdbLookups = try fastest {
  for key in keys {
    sum +=
      try pool.read {
        try GRDBNote.fetchOne($0, sql: "SELECT id, rank, score, stamp FROM note WHERE id = ?", arguments: [key])
      }?.rank ?? 0
  }
}
line("50 look-ups by key", lookups, grdbLookups, "at most 10 ms", lookups <= 0.010)

let pages = store.objects(Note.self).order { [$0.rank.ascending] }.pages(of: 50)
let middle = try pages.next(after: pages.first())
let listing = try fastest { sum += Int64(try middle.flatMap { try pages.next(after: $0) }?.objects.count ?? 0) }
let last = try middle?.objects.last.map { $0.rank } ?? 0
let grdbListing = try fastest {
  sum += Int64(
    try pool.read {
      try GRDBNote.fetchAll(
        $0, sql: "SELECT id, rank, score, stamp FROM note WHERE rank > ? ORDER BY rank, id LIMIT 50", arguments: [last])
    }.count)
}
line("a page of 50, ordered by an index", listing, grdbListing, "at most 5 ms", listing <= 0.005)

let iteration = try fastest { try store.objects(Note.self).each { sum &+= $0.rank &+ $0.stamp } }
let grdbIteration = try fastest {
  try pool.read {
    let cursor = try GRDBNote.fetchCursor($0, sql: "SELECT id, rank, score, stamp FROM note")
    while let note = try cursor.next() { sum &+= note.rank &+ note.stamp }
  }
}
line("all of them, typed", iteration, grdbIteration, "at least 1 000 000/s", Double(count) / iteration >= 1_000_000)
print(String(format: "typed: %.0f objects/s, GRDB %.0f/s", Double(count) / iteration, Double(count) / grdbIteration))
// What was read is used, so that nothing of it is left out.
precondition(sum != 0)
try? FileManager.default.removeItem(at: folder)
exit(missed == 0 ? 0 : 1)

func sqliteVersion() -> String {
  (try? DatabaseQueue().read { try String.fetchOne($0, sql: "SELECT sqlite_version()") }) ?? "?"
}
