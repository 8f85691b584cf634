internal import DecantBase

extension CopyReport {
  /// The objects that a merge would change, one per line.
  var previewLines: [String] {
    var lines: [String] = []
    for outcome in Preview.Outcome.allCases {
      let groups = preview.filter { $0.outcome == outcome }
      guard !groups.isEmpty else { continue }
      lines.append(outcome.heading)
      for group in groups {
        lines += group.objects.map { object in
          let title = object.title.map { " “\($0.onOneLine.shortened(to: 60))”" } ?? ""
          return "  \(group.entity) \(object.key)\(title)"
        }
        let more = group.count - Int64(group.objects.count)
        if more > 0 { lines.append("  and \(more.grouped) more of \(group.entity)") }
      }
      lines.append("")
    }
    return lines
  }
}

extension CopyReport.Preview.Outcome {
  fileprivate var heading: String {
    switch self {
    case .added: "would be added:"
    case .updated: "would be updated:"
    case .keptBoth: "would be added next to the existing one:"
    case .kept: "differ, and would not change:"
    case .removed: "would be removed:"
    }
  }
}
