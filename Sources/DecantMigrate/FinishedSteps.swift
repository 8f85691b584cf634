internal import DecantPlan
internal import DecantBase
internal import DecantStore
internal import DecantVersions
internal import DecantDigests

/// How many copies of a migration are done, by which an interrupted run is continued.
///
/// It stands in the journal of the work, and is of one state of the store and of one plan.
struct FinishedSteps {
  let journal: WorkJournal

  /// What is noted.
  struct Content: Hashable {
    /// The state of the store that was copied.
    var fingerprint: String
    /// The hash of what was to be done.
    var plan: String
    /// How many copies are done.
    var count: Int
  }

  /// What is noted; `nil` where nothing is.
  func read() throws(DecantError) -> Content? {
    guard let values = try journal.values(of: .steps), values.count == 3, let count = Int(values[2])
    else { return nil }
    return Content(fingerprint: values[0], plan: values[1], count: count)
  }

  /// Notes it; the stores it speaks of are on the disk already.
  func write(_ content: Content) throws(DecantError) {
    try journal.write([content.fingerprint, content.plan, String(content.count)], on: .steps)
  }

  /// The hash of what `stages` do for `migration`, by which a run that means something else is told.
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
  /// The entity without what changes no migration: what an app asks of values it saves, and what developers note for
  /// themselves, which has no order.
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
