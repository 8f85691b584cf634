internal import DecantArchive
internal import DecantBase
internal import DecantPlan
internal import DecantStore

/// Skipping sources that have not changed since they were merged.
extension Merge {
  /// A source that is merged, with its position among all, and as it is recorded.
  struct Turn {
    let number: Int
    let source: StoreLocation
    var recorded: MergedSource?
  }

  /// Returns the sources to merge, and enters the others in `outcome`.
  func turns(_ cancellation: Cancellation, _ outcome: inout Outcome) throws(DecantError) -> [Turn] {
    let all = sources.enumerated().map { Turn(number: $0.offset, source: $0.element) }
    guard skipsUnchanged else { return all }
    try checkSkipping()
    guard let record = try kinds.find(destination).openMergeRecord(destination, isDryRun: options.isDryRun) else {
      throw DecantError(
        .unsuitableOption,
        "unchanged sources can be skipped in a merge into a database on a server only: which sources were merged is "
          + "recorded there, and decant writes nothing of its own into a store in a file",
        place: "\(option: .skipUnchanged)",
        remedy: "remove it"
      )
    }
    var base: String?
    if let place = options.merge?.base {
      // Without a hash of the common ancestor nothing is known to be unchanged.
      guard let content = try content(of: place).content else { return all }
      base = content.hash
    }
    var turns: [Turn] = []
    for turn in all {
      try cancellation.check()
      let recorded = try recorded(turn.source, base)
      if let recorded, let date = try record.date(of: recorded) {
        outcome.skipped.append(.init(source: turn.source, merged: date))
      } else {
        turns.append(Turn(number: turn.number, source: turn.source, recorded: recorded))
      }
    }
    return turns
  }

  /// Returns a source with its content and the rules of its merge; `nil` if its content cannot be compared later.
  private func recorded(_ location: StoreLocation, _ base: String?) throws(DecantError) -> MergedSource? {
    let (source, content) = try content(of: location)
    guard let content, let hash = ContentHash() else { return nil }
    options.add(to: hash)
    hash.update("\n\(Version.number)\n\(base ?? "-")\n\(ArchiveModel.text(of: source.model))")
    return MergedSource(
      place: MergedSource.place(of: source.identity), uuid: source.identity.uuid, content: content, rules: hash.text)
  }

  private func content(of location: StoreLocation) throws(DecantError) -> (any SourceStore, content: SourceContent?) {
    let source = try kinds.openSource(location, facing: destination, options: options)
    return (source, try SourceContent(of: source))
  }

  private func checkSkipping() throws(DecantError) {
    let unfit: [(Bool, DecantError.Text)] = [
      (options.merge?.listsConflicts == true, "\(option: .conflicts), \(option: .decisions) and \(option: .resolve)"),
      (options.merge?.tombstoneFile != nil, "\(option: .tombstones)"),
      (options.explainedObject != nil, "\(option: .why)"),
    ]
    guard let first = unfit.first(where: \.0)?.1 else { return }
    throw DecantError(
      .conflictingOptions,
      "\(first) may change what a merge of an unchanged source does, which \(option: .skipUnchanged) would skip",
      remedy: "remove one of them"
    )
  }
}
