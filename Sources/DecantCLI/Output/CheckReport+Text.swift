internal import Decant

extension CheckReport {
  /// The result as a person reads it.
  var text: String {
    var lines = [
      "\(store.place): \(versionText)", "against \(targetPlace): version “\(target)”", "",
      "migration: \(migration.rawValue) (\(migration.words(isBeyond: isBeyondCoreData)))",
    ]
    if let obstacle {
      lines += ["", "\(obstacle.message)"]
      lines += [obstacle.place, obstacle.remedy].compactMap(\.self).map { "  \($0)" }
    }
    for demand in ModelChange.Demand.allCases.reversed() {
      let own = changes.filter { $0.demand == demand }
      guard !own.isEmpty else { continue }
      lines += ["", demand.heading] + own.map { "  \($0.line)" }
    }
    lines += stepLines
    if !notes.isEmpty { lines.append("") }
    lines += notes.map { "note: \($0)" }
    return lines.map(\.printable).joined(separator: "\n")
  }

  /// Whether decant infers more than Core Data would.
  var isBeyondCoreData: Bool {
    migration == .inferred && changes.contains { $0.demand == .beyondCoreData }
  }

  private var versionText: String {
    guard let version else {
      return modelOrigin == nil ? "of unknown version" : "of none of the versions there"
    }
    return "version “\(version.name)”, \(version.evidence.words)"
  }

  private var stepLines: [String] {
    guard steps.count > 1 || steps.contains(where: { !$0.mappingModels.isEmpty }) else { return [] }
    var table = TextTable(["  from", "to", "asks for", "mapping model, by its name"], words: [0, 1, 2, 3])
    for step in steps {
      let names = step.mappingModels.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
      table.add(["  " + step.from, step.to, step.words, names.joined(separator: ", ")])
    }
    return ["", "step by step, by the models alone"] + table.lines
  }
}

extension CheckReport.Step {
  /// What the step asks for, in few words.
  fileprivate var words: String {
    switch demand {
    case .nothing: "nothing"
    case .inferred: "inferred"
    case .beyondCoreData: "inferred, beyond Core Data"
    case .mapping: isOpen ? "mapping, if objects are concerned" : "mapping"
    }
  }
}

extension CheckReport.Migration {
  fileprivate func words(isBeyond: Bool) -> String {
    switch self {
    case .none: "the store can be opened as it is"
    case .inferred:
      isBeyond
        ? "decant migrates by the models alone; Core Data would not"
        : "it follows from the models, also for Core Data"
    case .mapping: "somebody has to decide"
    case .impossible: "no way leads there"
    }
  }
}

extension RecognisedVersion.Evidence {
  fileprivate var words: String {
    switch self {
    case .hashes: "told by its version hashes"
    case .structure: "told by its entities and properties"
    case .tables: "told by its tables, as it does not hold its model"
    }
  }
}

extension ModelChange.Demand {
  fileprivate var heading: String {
    switch self {
    case .mapping: "to be decided"
    case .beyondCoreData: "inferred, beyond Core Data"
    case .inferred: "inferred"
    case .nothing: "without need of a migration"
    }
  }
}

extension ModelChange {
  fileprivate var line: String {
    let more = Int64(examples.count) < (count ?? 0) ? ", …" : ""
    let shown = examples.isEmpty || demand < .mapping ? "" : " (\(examples.joined(separator: ", "))\(more))"
    return "\(subject): \(text)\(shown)"
  }
}
