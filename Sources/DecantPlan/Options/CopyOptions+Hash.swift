package import DecantBase

extension CopyOptions {
  /// Adds everything to `hash` that decides what a merge does: equal options have equal hashes in every process.
  ///
  /// Every option counts, also one that is added later, except those that only concern the course of the work. Files
  /// count by their content: that of a mapping or links file is part of the options.
  package func add(to hash: ContentHash) {
    var rules = CopyOptions()
    let standard = rules
    rules = self
    rules.mapping?.place = ""
    (rules.isDryRun, rules.listedObjectCount, rules.explainedObject) = (false, 0, nil)
    (rules.batchSize, rules.verifies, rules.readsPrivateCopy) = (standard.batchSize, true, false)
    (rules.commit, rules.leftOver, rules.defersConstraints) = (.run, .startOver, false)
    (rules.idTableFile, rules.rejectsFile, rules.model, rules.mergedSource) = (nil, nil, nil, nil)
    hash.update(CanonicalText.of(rules))
  }
}

/// A text of a value that is the same in every process: dictionaries and sets have no order of their own.
private enum CanonicalText {
  static func of(_ value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    let parts = mirror.children.map { (name: $0.label ?? "", text: of($0.value)) }
    switch mirror.displayStyle {
    case .set, .dictionary: return "[\(parts.map(\.text).sorted().joined(separator: ","))]"
    case _ where parts.isEmpty: return String(reflecting: value)
    default: return "(\(parts.map { "\($0.name):\($0.text)" }.joined(separator: ",")))"
    }
  }
}
