/// Remarks with the same text about several recipes or files.
struct RemarkGroup {
  /// Their text, without the names that differ.
  let text: String
  /// The index of the first one among all remarks.
  let first: Int
  /// The number of remarks.
  private(set) var count = 0
  private var examples: [String] = []

  private init(_ text: String, _ first: Int) { (self.text, self.first) = (text, first) }

  /// The names of the first few recipes or files that they are about.
  var names: String {
    examples.map { "“\($0)”" }.joined(separator: ", ") + (count > examples.count ? ", …" : "")
  }

  /// The maximum number of remarks with the same text that are listed separately.
  private static let listedCount = 3

  /// Groups remarks, each given with the name of its subject; the largest group comes first.
  ///
  /// Up to three remarks with the same text are listed separately.
  static func all(of remarks: [(name: String, text: String)]) -> [RemarkGroup] {
    var groups: [String: (group: RemarkGroup, members: [Int])] = [:]
    for (index, remark) in remarks.enumerated() {
      let text = withoutNames(remark.text)
      var (group, members) = groups[text] ?? (RemarkGroup(text, index), [])
      group.count += 1
      if group.examples.count < 3, !group.examples.contains(remark.name) { group.examples.append(remark.name) }
      if members.count < listedCount { members.append(index) }
      groups[text] = (group, members)
    }
    return groups.values.flatMap { group, members in
      guard group.count <= listedCount else { return [group] }
      return members.map { index in
        var single = RemarkGroup(remarks[index].text, index)
        (single.count, single.examples) = (1, [remarks[index].name])
        return single
      }
    }.sorted { ($1.count, $0.first) < ($0.count, $1.first) }
  }

  /// Returns a remark without quoted text and numbers.
  private static func withoutNames(_ text: String) -> String {
    text.replacing(/“[^”]*”/, with: "“…”").replacing(/[0-9]+/, with: "…")
  }
}
