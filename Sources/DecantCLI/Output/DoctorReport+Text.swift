internal import DecantBase
internal import DecantMaintain
internal import DecantPlan

extension DoctorReport {
  /// Returns the report for people, with findings of the same advice grouped together.
  ///
  /// - Parameter isVerbose: Whether every finding is shown, and every note.
  /// - Returns: The lines, the last one without a line end.
  func text(isVerbose: Bool) -> String {
    let count = Int64(findings.count)
    let state = isHealthy ? "healthy" : count.groupedCount("finding")
    var lines = ["\(store.place): \(state)", ""]
    for group in groups {
      let shown = isVerbose ? group[...] : group.prefix(DoctorReport.shownCount)
      lines += shown.map { "  \($0.problem.text)" }
      if shown.count < group.count {
        lines.append("  … and \(group.count - shown.count) more: --verbose shows all")
      }
      lines.append("    → \(group[0].what.commandLine)\(group[0].command == nil ? "" : ":")")
      if let command = group[0].command { lines.append("      \(command)") }
      lines.append("")
    }
    lines.append("checked: \(checked.joined(separator: ", "))")
    if linkCount == nil {
      lines.append("not checked: links, because the store does not contain its model; pass it with --model")
    }
    let told = isVerbose ? notes[...] : notes.prefix(3)
    lines += told.map { "note: \($0.commandLine)" }
    if told.count < notes.count {
      lines.append("note: \(notes.count - told.count) more notes: --verbose shows all")
    }
    return lines.map(\.printable).joined(separator: "\n")
  }

  /// The maximum number of findings with the same advice that are shown by default.
  private static let shownCount = 5

  /// The findings grouped by advice, in the order of the first finding of each group.
  private var groups: [[Finding]] {
    var groups: [[Finding]] = []
    for finding in findings {
      let index = groups.firstIndex {
        $0[0].what == finding.what && $0[0].command == finding.command
      }
      if let index { groups[index].append(finding) } else { groups.append([finding]) }
    }
    return groups
  }

  /// What was checked, in words.
  private var checked: [String] {
    let terms = store.terms
    return ["structure and indexes", objectCount.groupedCount(terms.object)]
      + (linkCount.map { [$0.groupedCount("link")] } ?? [])
      + (externalFileCount > 0 ? [externalFileCount.groupedCount("external file")] : [])
      + (terms == .rows ? [] : ["sync metadata"]) + (searchedLinks ? ["columns that look like links"] : [])
  }
}
