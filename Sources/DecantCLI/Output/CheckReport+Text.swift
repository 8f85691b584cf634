internal import DecantBase
internal import DecantMigrate
internal import DecantVersions

extension CheckReport {
  /// The result for people.
  var text: String {
    var lines = [
      "\(store.place): \(versionText)", "against \(targetPlace): version “\(target)”", "",
      "migration: \(migration.rawValue) (\(migration.words(isBeyond: isBeyondCoreData)))",
    ]
    if let obstacle {
      lines += ["", obstacle.what.commandLine]
      lines += [obstacle.spot, obstacle.advice].compactMap { $0?.commandLine }.map { "  \($0)" }
    }
    for step in steps { lines += step.lines(isAlone: steps.count == 1) }
    let notes = straightNotes + notes.commandLine
    if !notes.isEmpty { lines.append("") }
    lines += notes.map { "note: \($0)" }
    return lines.map(\.printable).joined(separator: "\n")
  }

  /// Returns a note if a direct migration by Core Data has another demand than the path through all versions.
  private var straightNotes: [String] {
    guard let straightDemand, straightDemand != demand else { return [] }
    return [
      "directly to “\(target)”, as Core Data migrates without intermediate versions: \(straightDemand.word)"
    ]
  }

  private var versionText: String {
    guard let version else {
      return modelOrigin == nil ? "unknown version" : "not one of these versions"
    }
    return "version “\(version.name)”, \(version.evidence.words)"
  }
}

extension CheckReport.Step {
  /// Returns the changes, grouped by their demand.
  fileprivate func lines(isAlone: Bool) -> [String] {
    var lines: [String] = []
    let names = mappingModels.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
    if !isAlone { lines += ["", "\(from) → \(to): \(demand.word)"] }
    if !names.isEmpty {
      let text = "next to the model, by its name for this step: \(names.joined(separator: ", "))"
      lines += isAlone ? ["", text] : ["  " + text]
    }
    let margin = isAlone ? "" : "  "
    for (heading, changes) in groups where !changes.isEmpty {
      if isAlone { lines.append("") }
      lines.append(margin + heading)
      lines += changes.map { "\(margin)  \($0)" }
    }
    return lines
  }

  private var groups: [(heading: String, lines: [String])] {
    ModelChange.Demand.allCases.reversed().flatMap { demand -> [(String, [String])] in
      let own = changes.filter { $0.demand == demand }
      guard demand != .nothing else { return [(demand.heading, ModelChange.gathered(own))] }
      return [
        (demand.heading, own.filter { !$0.isLoss }.map(\.line)),
        (demand.heading + ", with a loss", own.filter(\.isLoss).map(\.line)),
      ]
    }
  }
}

extension CheckReport.Migration {
  fileprivate func words(isBeyond: Bool) -> String {
    switch self {
    case .none: "the store can be opened unchanged"
    case .inferred:
      isBeyond
        ? "decant can infer it from the models, Core Data cannot"
        : "Core Data can infer it from the models, too"
    case .mapping: "needs a decision"
    case .impossible: "not possible"
    }
  }
}

extension RecognisedVersion.Evidence {
  fileprivate var words: String {
    switch self {
    case .hashes: "identified by its version hashes"
    case .mark: "identified by the mark that decant wrote when it created the store"
    case .structure: "identified by its entities and properties"
    case .tables: "identified by its tables, because it does not contain its model"
    case .named: "by the given model"
    }
  }
}

extension ModelChange.Demand {
  /// The demand of a step, in a few words.
  fileprivate var word: String {
    switch self {
    case .nothing: "none"
    case .inferred: "inferred"
    case .beyondCoreData: "inferred, beyond Core Data"
    case .mapping: "mapping"
    }
  }

  fileprivate var heading: String {
    switch self {
    case .mapping: "to be decided"
    case .beyondCoreData: "inferred, beyond Core Data"
    case .inferred: "inferred"
    case .nothing: "no migration needed"
    }
  }
}

extension ModelChange {
  /// Returns a line for each text, with all subjects to which it applies.
  fileprivate static func gathered(_ changes: [ModelChange]) -> [String] {
    var subjects: [String: [String]] = [:]
    var texts: [String] = []
    for change in changes {
      if subjects[change.text] == nil { texts.append(change.text) }
      subjects[change.text, default: []].append(change.subject)
    }
    return texts.map { "\((subjects[$0] ?? []).joined(separator: ", ")): \($0)" }
  }

  fileprivate var line: String {
    let more = Int64(examples.count) < (count ?? 0) ? ", …" : ""
    let shown =
      examples.isEmpty || demand < .mapping ? "" : " (\(examples.joined(separator: ", "))\(more))"
    return "\(subject): \(text)\(shown)"
  }
}
