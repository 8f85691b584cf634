internal import DecantBase

/// A suggestion as a mapping file.
struct SuggestedText {
  let source: String
  let destination: String
  /// What is made, the destination's entities in their order.
  let rules: [SuggestedRule]
  /// What becomes nothing, with how many objects there are.
  let lostEntities: [SuggestedRule.Line]
  /// Entities of the destination that nothing becomes.
  let emptyEntities: [String]

  /// The file, without the end of its last line.
  var text: String {
    var lines = [
      "# How the objects of \(source.yamlComment) become those of \(destination.yamlComment).",
      "# What is called the same in both is not said. A line with “guess” is one: check it.",
      "decant: 1",
    ]
    if !lostEntities.isEmpty {
      lines.append("contract: { entities: discard }  # these are discarded:")
      lines += lostEntities.map { "#   \($0.name.yamlComment): \($0.comment)" }
    }
    if !emptyEntities.isEmpty {
      lines.append("# Nothing becomes: \(emptyEntities.map(\.yamlComment).joined(separator: ", "))")
    }
    let told = rules.filter(\.saysSomething)
    if told.isEmpty {
      lines.append("# All that is left is called the same: there is nothing to say.")
    } else {
      lines += ["", "entities:"]
      for rule in told { lines += self.lines(of: rule) }
    }
    return lines.joined(separator: "\n")
  }

  private func lines(of rule: SuggestedRule) -> [String] {
    let isRenamed = rule.entity != rule.source
    var lines: [String] = []
    if isRenamed {
      lines.append("    from: \(rule.source.yamlText)\(remark(rule.comment))")
    }
    lines += rule.remarks.map { "    # \($0.yamlComment)" }
    for (words, names) in [
      ("no source", rule.unfilled), ("left at their default", rule.defaulted),
    ] where !names.isEmpty {
      lines.append("    # \(words): \(names.map(\.yamlComment).joined(separator: ", "))")
    }
    lines += section("generate", rule.generated)
    lines += section("set", rule.settings)
    if !rule.drops.isEmpty {
      lines.append("    drop:")
      lines += rule.drops.map { "      - \($0.name.yamlText)\(remark($0.comment))" }
    }
    return ["  \(rule.entity.yamlText):"] + lines
  }

  private func section(_ name: String, _ lines: [SuggestedRule.Line]) -> [String] {
    guard !lines.isEmpty else { return [] }
    return ["    \(name):"]
      + lines.map {
        "      \($0.name.yamlText): \($0.value.yamlExpression)\(remark($0.comment))"
      }
  }

  private func remark(_ text: String?) -> String { text.map { "  # \($0.yamlComment)" } ?? "" }
}
