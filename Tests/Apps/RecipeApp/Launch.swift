import Decant

/// An app's store: it is migrated at launch, takes in what a friend has, is backed up, and proven.
///
/// `MODEL STORE GUESTS ARCHIVE [STEP PERCENT]`: STEP is cancelled once so much of it is done.
func launch(_ arguments: [String]) async throws {
  let (model, store, guests, archive) = (arguments[0], arguments[1], arguments[2], arguments[3])
  let stop = arguments.count > 5 ? (step: arguments[4], percent: Int(arguments[5]) ?? 0) : nil

  /// Does the work and shows one bar from 0 to 100 %.
  func watch<Report>(_ title: String, _ work: DecantOperation<Report>) async throws -> Report {
    var last = -1
    return try await work.report { event in
      let percent = Int(event.fraction * 100)
      if percent > last { print("\(title): \(percent) %") }
      last = max(last, percent)
      // What the button of an app does: it cancels the task.
      if let stop, stop.step == title, percent >= stop.percent {
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
  }

  do {
    var migration = Migrate([store], to: model)
    migration.isUnversioned = true
    let migrated = try await watch("migration", migration.operation)
    print("the store is \(migrated.outcome.rawValue)")

    var merge = Merge([guests], into: store, rules: MergeRules(.skip))
    merge.reading.model = model
    merge.writing.keepsBackup = true
    let preview = try await watch("preview", merge.preview(listing: 3))
    print("\(preview.reports[0].copiedCount) objects would come")
    let merged = try await watch("merge", merge.operation)
    print("\(merged.reports[0].copiedCount) objects came")

    var export = Export(from: store, to: archive)
    export.reading.model = model
    export.selection.conditions = [
      try EntityCondition("Recipe", "title LIKE ?", arguments: [.text("%")])
    ]
    let exported = try await watch("export", export.operation)
    print("\(exported.copiedCount) objects are in the archive")

    var verify = Verify(archive, against: store)
    verify.model = model
    let verified = try await watch("verification", verify.operation)
    print(verified.isEqual ? "proven" : "differs")
  } catch is CancellationError {
    print("cancelled in the \(stop?.step ?? "middle")")
  }
}
