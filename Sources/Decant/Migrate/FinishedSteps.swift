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

  init(_ folder: MigrationFolder) {
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

  /// The hash of what `stages` do, by which a run that means something else is told.
  static func plan(_ stages: [MigrationStage], _ duplicates: MergeRules.Duplicates?) -> String {
    var texts = [duplicates?.rawValue ?? "-"]
    for stage in stages {
      for named in stage.models {
        texts.append(named.name)
        for entity in named.model.entities {
          texts.append("\(entity.name) \(entity.versionHash.map(SHA256.text) ?? "-")")
          texts += entity.attributes.map { "\($0.name) \($0.type)" }
          texts += entity.relationships.map { "\($0.name) \($0.destination) \($0.isToMany)" }
        }
      }
      if stage.origin != .inferred { texts.append(String(describing: stage.mapping)) }
    }
    return SHA256.text(SHA2.sha256(Array(texts.joined(separator: "\n").utf8)))
  }
}
