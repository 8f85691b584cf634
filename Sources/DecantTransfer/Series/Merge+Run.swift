internal import DecantArchive
internal import DecantBase
internal import DecantCopy
internal import DecantPlan
internal import DecantStore

/// Merging stores one after the other.
extension Merge {
  func perform(_ cancellation: Cancellation, _ onEvent: @escaping (WorkEvent) -> Void) throws(DecantError) -> Outcome {
    try check()
    guard sources.count > 1 else {
      var outcome = Outcome()
      outcome.reports = [
        try copy(sources[0], destination, options, kinds).perform(cancellation, onEvent)
      ]
      return outcome
    }
    var opener: any StoreOpener = kinds
    if options.mapping == nil {
      opener = try opener.aligning(
        sources + [options.merge?.base].compactMap(\.self),
        with: destination,
        options: options,
        cancellation: cancellation,
        onEvent
      )
    }
    guard !options.isDryRun else { return try rehearse(opener, cancellation, onEvent) }
    try planAll(opener, cancellation, onEvent)
    var outcome = Outcome()
    for (number, source) in sources.enumerated() {
      onEvent(.part(number + 1, of: sources.count))
      do throws(DecantError) {
        let report = try copy(source, destination, options(number, after: outcome.reports), opener)
          .perform(cancellation, onEvent)
        outcome.reports.append(report)
        onEvent(.made(report))
      } catch {
        let error = error.within("“\(source.place)”, source \(number + 1) of \(sources.count)")
        guard number > 0 else { throw error }
        outcome.left = Array(sources[number...])
        guard error.family != .interrupted else { throw told(error, outcome) }
        outcome.failure = told(error, outcome)
        return outcome
      }
    }
    return outcome
  }

  /// Plans the merge of each source, so that one that cannot be merged stops all before anything is written.
  private func planAll(
    _ opener: any StoreOpener,
    _ cancellation: Cancellation,
    _ onEvent: @escaping (WorkEvent) -> Void
  ) throws(DecantError) {
    var options = options
    (options.isDryRun, options.rejectsFile) = (true, nil)
    onEvent(.part(0, of: sources.count))
    onEvent(.began(.resolve))
    // Planning a merge takes about two thirds of the time of the merge: that share comes before the first one.
    let search = SearchProgress(onEvent)
    for (number, source) in sources.enumerated() {
      let part = search.part(Double(number) / Double(sources.count)...Double(number + 1) / Double(sources.count))
      try copy(source, destination, options, opener).perform(cancellation, part.run(.preview))
    }
  }

  /// Returns the options for the source of this number, after those before it.
  private func options(_ number: Int, after reports: [CopyReport]) -> CopyOptions {
    var options = options
    guard number > 0 else { return options }
    // The backup before the first change contains the state before all of them.
    if reports.contains(where: { $0.notes.contains { $0.kind == .previousStore } }) { options.keepsBackup = false }
    options.rejectsFile = options.rejectsFile.map {
      ArchivePlace(lines: $0).name(ofPart: number + 1)
    }
    return options
  }

  private func copy(
    _ source: StoreLocation,
    _ destination: StoreLocation,
    _ options: CopyOptions,
    _ opener: any StoreOpener
  ) -> Copy {
    Copy(from: source, to: destination, options: options, opener: opener)
  }

  /// Counts the outcome of each source, with the destination as the sources before it leave it.
  private func rehearse(
    _ opener: any StoreOpener,
    _ cancellation: Cancellation,
    _ onEvent: @escaping (WorkEvent) -> Void
  ) throws(DecantError) -> Outcome {
    var outcome = Outcome()
    onEvent(.part(1, of: sources.count))
    let first = try copy(sources[0], destination, options, opener)
      .perform(cancellation, onEvent)
    outcome.reports.append(first)
    guard sources.count > 1 else { return outcome }
    let folder = try ScratchFolder()
    defer { withExtendedLifetime(folder) {} }
    let isFile = kinds.kind(named: first.destination.kind)?.isFile ?? true
    // A store that is not a file is copied into one for the same kind of objects.
    let stand = StoreLocation(
      kind: isFile ? first.destination.kind : nil,
      place: "\(folder.path)/\(isFile ? Files.name(of: destination.place) : "destination.sqlite")"
    )
    do throws(DecantError) {
      var whole = CopyOptions()
      whole.keepsMetadata = isFile ? try kinds.find(stand).abilities.contains(.keepsSyncMetadata) : false
      whole.succeedsSource = true
      whole.verifies = false
      whole.model = options.model
      (whole.links, whole.noLinks) = (options.links, options.noLinks)
      for (number, source) in sources.enumerated().dropFirst() {
        onEvent(.part(number + 1, of: sources.count))
        onEvent(.began(.resolve))
        let search = SearchProgress(onEvent)
        if number == 1 {
          try copy(destination, stand, whole, kinds).perform(cancellation, search.part(0...0.2).run(.copy))
        }
        var options = self.options
        (options.isDryRun, options.listedObjectCount, options.commit) = (false, 0, .run)
        (options.keepsBackup, options.rejectsFile, options.verifies) = (false, nil, false)
        try copy(sources[number - 1], stand, options, opener)
          .perform(cancellation, search.part(0.2...0.7).run(.merge))
        let rest = search.part(0.7...1).run(.preview)
        var report = try copy(source, stand, self.options, opener).perform(cancellation) { event in
          if case .note = event { onEvent(event) } else { rest(event) }
        }
        report.destination.place = first.destination.place
        outcome.reports.append(report)
      }
    } catch {
      throw error.naming(first.destination.place, for: stand.place)
    }
    return outcome
  }

  /// Returns the error of a source after others were merged.
  private func told(_ error: DecantError, _ outcome: Outcome) -> DecantError {
    func names(_ places: [String]) -> String {
      places.map { "“\($0)”" }.joined(separator: ", ")
    }
    var error = error
    error.tell(
      "merged before that: \(names(outcome.reports.map(\.source.place))); "
        + "not merged: \(names(outcome.left.map(\.place)))"
    )
    let left = (outcome.left + [destination]).map { $0.description.shellWord }
    let rest: DecantError.Text = "\(command: "merge \(left.joined(separator: " "))", app: "a merge of the others")"
    let whole: DecantError.Text = "\(shell: "run the whole command again", app: "merge all of them again")"
    error.advice =
      (error.advice.map { "\($0); " } ?? "")
      + "then continue with \(rest) and the same options, or \(whole): merged objects are not changed again"
    return error
  }

  /// Throws for options that apply to a single source only.
  private func check() throws(DecantError) {
    guard !sources.isEmpty else {
      throw DecantError(
        .missingOption,
        "no source to merge into “\(destination.place)” was given",
        remedy: "pass at least one store"
      )
    }
    guard sources.count > 1 else { return }
    let rules = options.merge
    let single: [(Bool, DecantError.Text, String)] = [
      (
        rules?.listsConflicts == true,
        "\(option: .conflicts), \(option: .decisions) and \(option: .resolve)",
        "conflicts can be decided for one source at a time"
      ),
      (options.explainedObject != nil, "\(option: .why)", "a key identifies an object of one source"),
      (options.idTableFile != nil, "\(option: .keepIDs)", "an ID table covers the objects of one source"),
      (
        rules?.tombstoneFile != nil, "\(option: .tombstones)",
        "the merge history is kept for one source"
      ),
      (
        options.leftOver == .resume, "\(option: .resume)",
        "only the merge of one source was interrupted"
      ),
    ]
    guard let refused = single.first(where: \.0) else { return }
    throw DecantError(
      .unsuitableOption,
      "\(refused.2), and there are \(sources.count)",
      place: refused.1,
      remedy: "merge them one at a time: "
        + "\(command: "merge \(sources[0].description.shellWord) \(destination.description.shellWord) …", app: "“\(sources[0].place)” first")"
    )
  }
}
