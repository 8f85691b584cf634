import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// A trigger of the destination may undo the whole transaction in which a row is refused: nothing may be written after that.
@Suite struct RollbackTriggerTests {
  private let place: PlainDatabase

  init() throws { place = try PlainDatabase() }

  private static let refusing = """
    CREATE TRIGGER refuse BEFORE INSERT ON t WHEN new.v = 'v90' BEGIN SELECT raise(ROLLBACK, 'no v90 here'); END
    """
  private static let rows = "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100) "

  @Test(
    arguments: ["k INTEGER PRIMARY KEY, v TEXT", "k TEXT PRIMARY KEY, v TEXT", "k INT, v TEXT"],
    [(CommitMode.run, CopyOptions.OnError.stop), (.run, .reject), (.batch, .stop), (.batch, .reject)]
  )
  func `a row that undoes the transaction ends the copy, and leaves the destination as it was`(
    columns: String,
    way: (commit: CommitMode, onError: CopyOptions.OnError)
  ) throws {
    try place.make("a.db", "CREATE TABLE t (\(columns)); INSERT INTO t \(Self.rows) SELECT i, 'v' || i FROM n")
    try place.make("b.db", "CREATE TABLE t (\(columns)); INSERT INTO t VALUES (500, 'own'); \(Self.refusing)")
    for batchSize in [7, 10_000] as [Int64] {
      let error = #expect(throws: DecantError.self) {
        try place.copy {
          ($0.appends, $0.keepsBackup, $0.batchSize) = (true, way.commit == .run, batchSize)
          ($0.commit, $0.onError) = way
        }
      }
      #expect(error?.code == .constraintViolated, "\(String(describing: error))")
      #expect(error?.message.contains("no v90 here") == true, "\(String(describing: error))")
      #expect(error?.remedies.contains(.setOption(.noTriggers, nil)) == true, "\(String(describing: error))")
      #expect(try place.read("b.db", "SELECT count(*) * 10 + sum(v = 'own') FROM t") == ["11"])
    }
  }
}
