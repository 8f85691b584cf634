internal import DecantPlan
internal import DecantSQLite
internal import DecantStore

/// The planned state of a source, held by a connection of its own, from which a second thread reads.
final class HeldSource {
  let session: CopySession
  private let state: Snapshot

  /// Holds the state with `fingerprint`; `nil` if that is not possible, or the source has another state by now.
  ///
  /// An error here is not reported: it occurs again, and is reported, where the source is read for the copy.
  init?(_ planner: Planner, in fingerprint: Fingerprint, encoding: String) {
    guard planner.source.mapped == nil, let session = try? CopySession(source: planner.source, encoding: encoding)
    else { return nil }
    self.session = session
    do {
      try session.connection.takeCachesForOrder()
      let held = try planner.source.holding(CopySession.source, on: session.connection)
      guard held.fingerprint == fingerprint else { return nil }
      state = held.state
    } catch {
      return nil
    }
  }

  deinit { state.release() }
}
