internal import DecantBase
internal import DecantPlan
internal import DecantSQLite
internal import DecantStore
internal import Dispatch
internal import Synchronization

/// A check of a source's structure, on a connection and a thread of its own while the source is read.
///
/// A part of the proof: rows that are already missing in the source are in no sum.
final class SourceCheck {
  private let place: String
  private let depth: StructureCheck.Depth
  private let cancellation = Cancellation()
  private let thread = DispatchGroup()
  private let outcome = Outcome()

  /// What the thread found.
  private final class Outcome: Sendable {
    let failure = Mutex<DecantError?>(nil)
  }

  /// Ends the check when the copy is stopped, and when nobody waits for it any more.
  private final class Stop: ProgressCheck {
    private let requests: [Cancellation]

    init(_ requests: [Cancellation]) { self.requests = requests }

    override func isStopped() -> Bool { requests.contains { $0.isCancelled } }
    override func add(_ interrupter: Interrupter) { for request in requests { request.add(interrupter) } }
    override func remove(_ interrupter: Interrupter) { for request in requests { request.remove(interrupter) } }
  }

  /// Begins to check `source` in its present state; `stop` is the copy's request to stop.
  init(_ source: any SourceStore, _ depth: StructureCheck.Depth, _ stop: Cancellation) {
    (place, self.depth) = (source.identity.place, depth)
    let opened: CopySession
    do throws(DecantError) {
      opened = try CopySession(source: source)
      try explaining("cannot read “\(place)”") { () throws(SQLiteError) in
        try opened.connection.takeCachesForOrder()
        try opened.beginReading()
        _ = try opened.connection.integer("SELECT count(*) FROM \(CopySession.source).sqlite_schema")
      }
    } catch {
      outcome.failure.withLock { $0 = error }
      return
    }
    opened.setProgressCheck(Stop([stop, cancellation]))
    // The thread gets it, and nobody else has it.
    nonisolated(unsafe) let session = opened
    DispatchQueue.global().async(group: thread) { [outcome, place] in
      do throws(DecantError) {
        try StructureCheck(of: CopySession.source, on: session.connection).run(depth, place: place)
      } catch {
        outcome.failure.withLock { $0 = error }
      }
    }
  }

  deinit {
    cancellation.cancel()
    thread.wait()
  }

  /// Waits for the end of the check; throws if the source is damaged.
  ///
  /// An app that is about to write keeps new connections out: then `session`, which has read all the time, is used.
  func finish(_ session: CopySession) throws(DecantError) {
    thread.wait()
    guard let failure = outcome.failure.withLock({ $0 }) else { return }
    guard failure.family == .storeBusy else { throw failure }
    try StructureCheck(of: CopySession.source, on: session.connection).run(depth, place: place)
  }
}
