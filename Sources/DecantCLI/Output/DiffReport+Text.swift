internal import DecantBase
internal import DecantMatch
internal import DecantProof

extension DiffReport {
  /// The report for people: counts, then the first differences by name.
  var text: String {
    let count = entities.reduce(0) { $0 + $1.same }
    var lines: [String] = []
    if isEqual {
      lines.append("equal: \(a.place) and \(b.place) hold the same \(count.grouped) \(a.terms.objects)\(way)")
    } else {
      lines += ["A: \(a.place)", "B: \(b.place)", ""]
      if !entities.isEmpty { lines += entityTable.lines + [""] }
      if !rows.isEmpty { lines += rowTable.lines + [""] }
      if schemaCount > 0 { lines += schemaLines + [""] }
      lines += differences.flatMap(\.lines)
      if isCutOff { lines.append("… and more") }
    }
    while lines.last == "" { lines.removeLast() }
    return (lines + notes.commandLine.map { "note: \($0)" }).joined(separator: "\n")
  }

  /// The differences between the schemas, and the number of those that are not listed.
  private var schemaLines: [String] {
    let noun = schemaCount == 1 ? "difference" : "differences"
    var lines = ["schema: \(schemaCount.grouped) \(noun)"]
    lines += schema.map { "  \($0.text("A", "B"))" }
    let left = schemaCount - Int64(schema.count)
    if left > 0, !schema.isEmpty { lines.append("  … and \(left.grouped) more") }
    return lines
  }

  /// The way in which objects were matched, unless by key.
  private var way: String {
    let ways = Set(entities.map(\.matchedBy)).sorted().map(\.words)
    return ways == [MatchedBy.key.words] || ways.isEmpty
      ? "" : ", matched by \(ways.joined(separator: " and "))"
  }

  private var entityTable: TextTable {
    var table = TextTable(["", "same", "changed", "only A", "only B", "matched by"], words: [0, 5])
    for entity in entities {
      table.add(
        [entity.name]
          + [entity.same, entity.changed, entity.onlyInA, entity.onlyInB].map(\.grouped)
          + [entity.matchedBy.words]
      )
    }
    return table
  }

  private var rowTable: TextTable {
    var table = TextTable(["", "same", "changed", "only A", "only B"])
    for row in rows {
      table.add([row.name] + [row.same, row.changed, row.onlyInA, row.onlyInB].map(\.grouped))
    }
    return table
  }
}

extension DiffReport.Item {
  /// The differences; with values, one per line.
  fileprivate var lines: [String] {
    [description]
      + changes.compactMap { change in
        guard let a = change.valueInA, let b = change.valueInB else { return nil }
        return "  \(change.property): \(a) → \(b)"
      }
  }
}
