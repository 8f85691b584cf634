internal import Decant
internal import JSON

extension CopyReport.Closure {
  /// What is taken along as a person reads it: a line for each distance and entity, then the rules.
  var lines: [String] {
    var table = TextTable(["distance", "entity", "objects", "bytes"], words: [1])
    for level in levels.prefix(CopyReport.Closure.shownLineCount) {
      table.add([
        level.distance.grouped, level.entity, level.objectCount.grouped, level.byteCount.grouped,
      ])
    }
    var lines = table.lines
    if levels.count > CopyReport.Closure.shownLineCount {
      lines.append("… and on up to distance \(depth.grouped): --json lists more of it")
    }
    lines.append("")
    for rule in ClosureRule.allCases {
      let names = rules.filter { $0.value == rule }.keys.sorted()
      guard !names.isEmpty else { continue }
      lines.append("\(rule.rawValue): \(names.joined(separator: ", "))")
    }
    return lines + [""]
  }

  /// More lines than this nobody reads.
  private static let shownLineCount = 60

  /// The same as scripts read it.
  var json: JSONValue {
    let byDistance = Dictionary(grouping: levels, by: \.distance).sorted { $0.key < $1.key }
    return .object([
      ("depth", .integer(depth)),
      (
        "levels",
        .array(
          byDistance.map { distance, levels in
            .object([
              ("distance", .integer(distance)),
              ("entities", .object(levels.map { ($0.entity, $0.json) })),
            ])
          }
        )
      ),
      (
        "rules",
        .object(rules.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value.rawValue)) })
      ),
    ])
  }
}

extension CopyReport.Closure.Level {
  fileprivate var json: JSONValue {
    .object([("objects", .integer(objectCount)), ("bytes", .integer(byteCount))])
  }
}
