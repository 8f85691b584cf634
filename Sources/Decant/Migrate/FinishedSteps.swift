internal import Digests

/// The note of how many copies of a migration are done, by which a run that was cut off is gone on with.
///
/// It lies in the folder in which the migration works, and is of one state of the store and of one plan.
struct FinishedSteps {
  private let note: MigrationNote

  /// What the note says.
  struct Content: Hashable {
    /// The state of the store that was copied.
    var fingerprint: String
    /// The hash of what was to be done.
    var plan: String
    /// How many copies are done.
    var count: Int
  }

  init(_ folder: WorkFolder) {
    note = folder.note(FinishedSteps.name, form: "decant steps 1")
  }

  /// The note's name in the folder.
  static let name = "steps"

  /// Reads the note; `nil` where there is none.
  func read() throws(DecantError) -> Content? {
    guard let lines = try note.read(), lines.count == 3, let count = Int(lines[2]) else {
      return nil
    }
    return Content(fingerprint: lines[0], plan: lines[1], count: count)
  }

  /// Writes the note anew; what it speaks of is on the disk already.
  func write(_ content: Content) throws(DecantError) {
    try note.write([content.fingerprint, content.plan, String(content.count)])
  }

  /// The hash of what `stages` do for `migration`, by which a run that means something else is told.
  static func plan(_ stages: [MigrationStage], of migration: Migration) -> String {
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
  /// The entity without what developers note for themselves, which has no order and changes no migration.
  fileprivate var withoutRemarks: Entity {
    var entity = self
    entity.userInfo = [:]
    for index in entity.attributes.indices { entity.attributes[index].userInfo = [:] }
    for index in entity.relationships.indices { entity.relationships[index].userInfo = [:] }
    return entity
  }
}
