internal import DecantArchive
internal import DecantBase
internal import DecantCopy
internal import DecantPlan
internal import DecantStore

/// Merging stores one after the other.
extension Merge {
  func perform(_ cancellation: Cancellation, _ onEvent: @escaping (WorkEvent) -> Void) throws(DecantError) -> Outcome {
    try check()
    var outcome = Outcome()
    let turns = try turns(cancellation, &outcome)
    guard turns.count > 1 else {
      if let turn = turns.first {
        outcome.reports = [
          try recording { () throws(DecantError) in
            try copy(turn.source, destination, options(turn, after: []), kinds).perform(cancellation, onEvent)
          }
        ]
      }
      return outcome
    }
    var opener: any StoreOpener = kinds
    if options.mapping == nil {
      opener = try opener.aligning(
        turns.map(\.source) + [options.merge?.base].compactMap(\.self),
        with: destination,
        options: options,
        cancellation: cancellation,
        onEvent
      )
    }
    guard !options.isDryRun else {
      outcome.reports = try rehearse(turns, opener, cancellation, onEvent)
      return outcome
    }
    try planAll(turns, opener, cancellation, onEvent)
    for (number, turn) in turns.enumerated() {
      onEvent(.part(number + 1, of: turns.count))
      do throws(DecantError) {
        let report = try recording { () throws(DecantError) in
          try copy(turn.source, destination, options(turn, after: outcome.reports), opener).perform(
            cancellation, onEvent)
        }
        outcome.reports.append(report)
        onEvent(.made(report))
      } catch {
        let error = error.within("“\(turn.source.place)”, source \(turn.number + 1) of \(sources.count)")
        guard number > 0 || error.remedies.contains(.resume) else { throw error }
        outcome.left = turns[number...].map(\.source)
        let failure = withRest(error, outcome)
        guard number > 0, error.family != .interrupted else { throw failure }
        outcome.failure = failure
        return outcome
      }
    }
    return outcome
  }

  /// Merges a source, observing whether its options ask for the time: such a merge is not recorded.
  private func recording(_ body: () throws(DecantError) -> CopyReport) throws(DecantError) -> CopyReport {
    guard skipsUnchanged else { return try body() }
    return try TimeUse.$current.withValue(TimeUse()) {
      Result { () throws(DecantError) in try body() }
    }.get()
  }

  /// Plans the merge of each source, so that one that cannot be merged stops all before anything is written.
  private func planAll(
    _ turns: [Turn],
    _ opener: any StoreOpener,
    _ cancellation: Cancellation,
    _ onEvent: @escaping (WorkEvent) -> Void
  ) throws(DecantError) {
    var options = options
    (options.isDryRun, options.rejectsFile) = (true, nil)
    onEvent(.part(0, of: turns.count))
    onEvent(.began(.resolve))
    // Planning a merge takes about two thirds of the time of the merge: that share comes before the first one.
    let search = SearchProgress(onEvent)
    for (number, turn) in turns.enumerated() {
      let part = search.part(Double(number) / Double(turns.count)...Double(number + 1) / Double(turns.count))
      try copy(turn.source, destination, options, opener).perform(cancellation, part.run(.preview))
    }
  }

  /// Returns the options for a source, after those before it.
  private func options(_ turn: Turn, after reports: [CopyReport]) -> CopyOptions {
    var options = options
    options.mergedSource = turn.recorded
    guard turn.number > 0 else { return options }
    // The backup before the first change contains the state before all of them.
    if reports.contains(where: { $0.notes.contains { $0.kind == .previousStore } }) { options.keepsBackup = false }
    options.rejectsFile = options.rejectsFile.map {
      ArchivePlace(lines: $0).name(ofPart: turn.number + 1)
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
    _ turns: [Turn],
    _ opener: any StoreOpener,
    _ cancellation: Cancellation,
    _ onEvent: @escaping (WorkEvent) -> Void
  ) throws(DecantError) -> [CopyReport] {
    onEvent(.part(1, of: turns.count))
    let first = try copy(turns[0].source, destination, options, opener)
      .perform(cancellation, onEvent)
    var reports = [first]
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
      for (number, turn) in turns.enumerated().dropFirst() {
        onEvent(.part(number + 1, of: turns.count))
        onEvent(.began(.resolve))
        let search = SearchProgress(onEvent)
        if number == 1 {
          try copy(destination, stand, whole, kinds).perform(cancellation, search.part(0...0.2).run(.copy))
        }
        var options = self.options
        (options.isDryRun, options.listedObjectCount, options.commit) = (false, 0, .run)
        (options.keepsBackup, options.rejectsFile, options.verifies) = (false, nil, false)
        try copy(turns[number - 1].source, stand, options, opener)
          .perform(cancellation, search.part(0.2...0.7).run(.merge))
        let rest = search.part(0.7...1).run(.preview)
        var report = try copy(turn.source, stand, self.options, opener).perform(cancellation) { event in
          if case .note = event { onEvent(event) } else { rest(event) }
        }
        report.destination.place = first.destination.place
        reports.append(report)
      }
    } catch {
      throw error.naming(first.destination.place, for: stand.place)
    }
    return reports
  }

  /// Returns the error of a source with what was merged before it, and how to merge the rest.
  private func withRest(_ error: DecantError, _ outcome: Outcome) -> DecantError {
    func names(_ places: [String]) -> String { places.map { "“\($0)”" }.joined(separator: ", ") }
    func merge(_ sources: [StoreLocation]) -> DecantError.Text {
      "merge \((sources + [destination]).map { $0.description.shellWord }.joined(separator: " "))"
    }
    var (error, left) = (error, outcome.left)
    let merged = outcome.reports.map(\.source.place)
    error.tell(
      (merged.isEmpty ? "" : "merged before that: \(names(merged)); ") + "not merged: \(names(left.map(\.place)))")
    guard !error.remedies.contains(.resume) else {
      // Only one source can be resumed, and others have to wait for it.
      let first = left.removeFirst()
      let own: DecantError.Text =
        "complete “\(first.place)” by \(command: merge([first]), app: "its own merge") with the same options and \(say: .resume)"
      let rest: DecantError.Text =
        ", then continue with \(command: merge(left), app: "a merge of the others") and the same options"
      error.advice = left.isEmpty ? own : own + rest
      return error
    }
    let rest: DecantError.Text = "\(command: merge(left), app: "a merge of the others")"
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
