public import Foundation

/// What programs leave beside a store that are killed while they write to it.
public enum LeftBehind {
  /// Changes the store at `path` with `sql`, in its log only, as a process does that is killed then.
  ///
  /// - Parameters:
  ///   - path: The store; it keeps a write-ahead log from then on.
  ///   - sql: What changes it.
  /// - Throws: `Program.Failure` where no log is left.
  public static func log(of path: String, _ sql: String) throws {
    let run = try Program.run([
      "sqlite3", "-batch", path, "PRAGMA journal_mode = wal; PRAGMA wal_autocheckpoint = 0", sql,
      ".shell kill -9 $PPID",
    ])
    let size = (try? FileManager.default.attributesOfItem(atPath: path + "-wal"))?[.size] as? Int
    guard (size ?? 0) > 0 else { throw Program.Failure(program: "sqlite3", errors: run.errors) }
  }

  /// Begins a copy in batches in `folder` and kills it, by default half-way.
  ///
  /// - Parameters:
  ///   - arguments: Those of `decant copy`, for a store that is there.
  ///   - folder: Where it runs.
  ///   - place: Before which call that changes a file, of how many.
  /// - Throws: `Program.Failure` where it cannot be run.
  public static func part(
    of arguments: [String],
    in folder: URL,
    killedAt place: (Int) -> Int = { $0 * 2 / 3 }
  ) throws {
    let other = try TemporaryFolder()
    let stage = other.url.appendingPathComponent("stage")
    try FileManager.default.copyItem(at: folder, to: stage)
    let report = other.path("report")
    // As many calls as an undisturbed run takes, most of them in the batches.
    let count = Fault(kind: .change, number: 0, error: EIO)
    _ = try Program.run(
      [DecantProgram.path] + arguments,
      in: stage,
      environment: count.environment(in: stage, report: report)
    )
    let number = place(FaultReport(report).counts[.change] ?? 0)
    let kill = Fault(kind: .change, number: number, error: EIO, kills: true)
    let run = try Program.run(
      [DecantProgram.path] + arguments,
      in: folder,
      environment: kill.environment(in: folder, report: report)
    )
    guard run.isCrash else { throw Program.Failure(program: "decant", errors: run.errors) }
  }
}
