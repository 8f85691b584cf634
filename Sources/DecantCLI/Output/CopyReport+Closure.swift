internal import DecantBase

extension CopyReport.Closure {
  /// The included objects for people: a line for each distance and entity, then the rules.
  var lines: [String] {
    var table = TextTable(["distance", "entity", "objects", "bytes"], words: [1])
    for level in levels.prefix(CopyReport.Closure.shownLineCount) {
      table.add([
        level.distance.grouped, level.entity, level.objectCount.grouped, level.byteCount.grouped,
      ])
    }
    var lines = table.lines
    if levels.count > CopyReport.Closure.shownLineCount {
      lines.append("… and more up to distance \(depth.grouped): see --json")
    }
    lines.append("")
    for rule in ClosureRule.allCases {
      let names = rules.filter { $0.value == rule }.keys.sorted()
      guard !names.isEmpty else { continue }
      lines.append("\(rule.rawValue): \(names.joined(separator: ", "))")
    }
    return lines + [""]
  }

  /// The maximum number of lines.
  private static let shownLineCount = 60
}
