internal import SQLite

/// What both stores have changed in different ways, in a temporary table.
final class ConflictLog {
  private let connection: Connection
  private let insertion: Statement
  /// How many objects have conflicts.
  private(set) var objectCount: Int64 = 0
  /// The properties, by their number in the table.
  private var meanings: [Meaning] = []

  private static let table = "temp.decant_conflicts"

  /// The conflicts of one object.
  struct Conflict {
    let pair: MergeBase.Pair
    var meanings: [Meaning]
  }

  init(on connection: Connection) throws(SQLiteError) {
    self.connection = connection
    try connection.run(
      """
      CREATE TABLE \(Self.table) (root TEXT, source INTEGER, destination INTEGER, property INTEGER,
        PRIMARY KEY (root, source, property)) WITHOUT ROWID
      """
    )
    insertion = try connection.prepare(
      "INSERT OR IGNORE INTO \(Self.table) VALUES (?1, ?2, ?3, ?4)"
    )
  }

  func add(_ pair: MergeBase.Pair, _ conflicts: [Meaning]) throws(SQLiteError) {
    guard !conflicts.isEmpty else { return }
    if try !contains(pair.source, of: pair.root) { objectCount += 1 }
    for meaning in conflicts {
      if !meanings.contains(meaning) { meanings.append(meaning) }
      let number = meanings.firstIndex(of: meaning) ?? 0
      try insertion.run(
        .text(pair.root),
        .integer(pair.source),
        .integer(pair.destination),
        .integer(Int64(number))
      )
    }
  }

  /// Forgets all: the objects are compared again.
  func removeAll() throws(SQLiteError) {
    try connection.run("DELETE FROM \(Self.table)")
    objectCount = 0
  }

  /// Forgets the conflicts of the objects that `isForgotten` names.
  func removeAll(where isForgotten: (MergeBase.Pair) throws(SQLiteError) -> Bool)
    throws(SQLiteError)
  {
    try forEach { conflict throws(SQLiteError) in
      guard try isForgotten(conflict.pair) else { return }
      try connection.run(
        "DELETE FROM \(Self.table) WHERE root = ?1 AND source = ?2",
        .text(conflict.pair.root),
        .integer(conflict.pair.source)
      )
      objectCount -= 1
    }
  }

  /// Calls `body` with the conflicts of every object, in the order of the source's.
  func forEach(_ body: (Conflict) throws(SQLiteError) -> Void) throws(SQLiteError) {
    var current: Conflict?
    try connection.forEachRow(
      "SELECT root, source, destination, property FROM \(Self.table) ORDER BY 1, 2, 4"
    ) { row throws(SQLiteError) in
      let pair = MergeBase.Pair(
        root: row.text(at: 0) ?? "",
        source: row.integer(at: 1),
        destination: row.integer(at: 2)
      )
      let meaning = meanings[Int(row.integer(at: 3))]
      if current?.pair == pair {
        current?.meanings.append(meaning)
      } else {
        if let current { try body(current) }
        current = Conflict(pair: pair, meanings: [meaning])
      }
    }
    if let current { try body(current) }
  }

  /// Whether the object of the source has conflicts.
  func contains(_ key: Int64, of root: String) throws(SQLiteError) -> Bool {
    try connection.integer(
      "SELECT EXISTS (SELECT 1 FROM \(Self.table) WHERE root = ?1 AND source = ?2)",
      .text(root),
      .integer(key)
    ) == 1
  }
}
