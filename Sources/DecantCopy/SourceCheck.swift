internal import DecantBase
internal import DecantPlan
internal import DecantSQLite
internal import DecantStore

/// The check of a source's structure by a second thread, while the first one plans the copy.
///
/// SQLite may read a damaged source without an error, so nothing is written into an existing store, and nothing is
/// published, before `finish`.
final class SourceCheck {
  private let source: HeldSource
  private let place: String
  /// The check on the second thread, which uses the source's connection until it ends.
  private var work: StructureWork?
  /// The second thread, which can do other work after the check.
  var thread: OrderedWork? { work?.thread }

  /// Begins to check; `nil` if a second thread cannot hold the planned state.
  init?(
    _ planner: Planner,
    in fingerprint: Fingerprint,
    _ depth: StructureCheck.Depth,
    encoding: String,
    _ cancellation: Cancellation
  ) {
    guard let source = HeldSource(planner, in: fingerprint, encoding: encoding) else { return nil }
    self.source = source
    place = planner.source.identity.place
    work = StructureWork((source.session.connection, CopySession.source), depth, limit: 3, cancellation)
  }

  // The thread ends before the source is released.
  deinit { work = nil }

  /// Waits for the result; `tell` receives the checked part, from 0 to 1.
  ///
  /// - Throws: `DecantError` if the source is damaged or cannot be read.
  func finish(_ tell: (Double) -> Void = { _ in }) throws(DecantError) {
    let findings = try explaining("cannot read “\(place)”") { () throws(SQLiteError) in
      try work?.findings(tell) ?? []
    }
    try StructureCheck.report(findings, place)
  }

  /// Returns the cause of `error`: the damage of the source, if `error` can result from damage and the source is
  /// damaged.
  func cause(of error: DecantError) -> DecantError {
    let mayBeOfDamage: [DecantError.Code] = [
      .databaseFailed, .constraintViolated, .linkBroken, .limitExceeded, .unsupportedContent, .systemFailed,
    ]
    guard error.family == .corruptStore || mayBeOfDamage.contains(error.code),
      let findings = try? work?.findings({ _ in })
    else { return error }
    do throws(DecantError) {
      try StructureCheck.report(findings, place)
      return error
    } catch let damage {
      return damage
    }
  }
}
