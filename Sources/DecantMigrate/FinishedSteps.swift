internal import DecantPlan
internal import DecantBase
internal import DecantStore
internal import DecantVersions
internal import DecantDigests

/// The number of finished copies of a migration, used to resume an interrupted run.
///
/// It is recorded in the work journal, for one state of the store and one plan.
struct FinishedSteps {
  let journal: WorkJournal

  /// The recorded values.
  struct Content: Hashable {
    /// The state of the store that was copied.
    var fingerprint: String
    /// The hash of the plan.
    var plan: String
    /// The number of finished copies.
    var count: Int
  }

  /// Reads the record; `nil` if there is none.
  func read() throws(DecantError) -> Content? {
    guard let values = try journal.values(of: .steps), values.count == 3, let count = Int(values[2])
    else { return nil }
    return Content(fingerprint: values[0], plan: values[1], count: count)
  }

  /// Writes the record; the finished stores are already on disk.
  func write(_ content: Content) throws(DecantError) {
    try journal.write([content.fingerprint, content.plan, String(content.count)], on: .steps)
  }

  /// Returns the hash of what `stages` do for `migration`, used to detect a run with a different plan.
  static func plan(_ stages: [StagePlan], of migration: Migrate) -> String {
    var texts = [migration.duplicates?.rawValue ?? "-", "\(migration.verifies)"]
    for stage in stages {
      for named in stage.models {
        texts.append(named.name)
        texts += named.model.entities.map { String(describing: $0.withoutRemarks) }
      }
      if stage.origin != .inferred { texts.append(String(describing: stage.mapping)) }
    }
    return SHA256.text(SHA2.sha256(Array(texts.joined(separator: "\n").utf8)))
  }
}

extension Entity {
  /// The entity without what does not affect migrations: validation rules, which apply only when an app saves, and the
  /// user info, which has no order.
  fileprivate var withoutRemarks: Entity {
    var entity = self
    entity.userInfo = [:]
    for index in entity.attributes.indices {
      entity.attributes[index].userInfo = [:]
      entity.attributes[index].rules = ValueRules()
    }
    for index in entity.relationships.indices { entity.relationships[index].userInfo = [:] }
    return entity
  }
}
