internal import DecantBase

/// A suggestion in the form of a mapping file.
struct SuggestedText {
  let source: String
  let destination: String
  /// The rules, in the order of the destination's entities.
  let rules: [SuggestedRule]
  /// The entities that are not mapped, with the numbers of their objects.
  let lostEntities: [SuggestedRule.Line]
  /// The destination's entities that get no objects.
  let emptyEntities: [String]

  /// The file, without the final line feed.
  var text: String {
    var lines = [
      "# How to convert the objects of \(source.yamlComment) to those of \(destination.yamlComment).",
      "# Names that both have in common are not listed. Check every line with “guess”.",
      "decant: 1",
    ]
    if !lostEntities.isEmpty {
      lines.append("contract: { entities: discard }  # discarded:")
      lines += lostEntities.map { "#   \($0.name.yamlComment): \($0.comment)" }
    }
    if !emptyEntities.isEmpty {
      lines.append("# Not filled: \(emptyEntities.map(\.yamlComment).joined(separator: ", "))")
    }
    let told = rules.filter(\.saysSomething)
    if told.isEmpty {
      lines.append("# All other names are the same in both: no rules are needed.")
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
      ("no source", rule.unfilled), ("set to their default", rule.defaulted),
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
