internal import DecantBase
internal import DecantStore
internal import DecantTransfer

extension Merge.Outcome {
  /// The skipped sources, each in a line.
  var skippedLines: [String] {
    skipped.map { "\($0.source.place): unchanged since it was merged on \($0.merged); skipped" }
  }

  /// The number of merged sources, and the sources that were not merged; `nil` if the report of the only source says it.
  var verdict: String? {
    let count = Int64(reports.count + left.count)
    guard let first = reports.first else { return "nothing to do" }
    guard count > 1 || !skipped.isEmpty else { return nil }
    let place = "“\(first.destination.place)”"
    guard left.isEmpty else {
      let names = left.map { "“\($0.place)”" }.joined(separator: ", ")
      return "\(reports.count) of \(count.counted("store")) merged into \(place); not merged: \(names)"
    }
    return first.isDryRun
      ? count == 1
        ? "1 store counted"
        : "\(count) stores, each counted as if the previous ones had been merged into \(place)"
      : "\(count.counted("store")) merged into \(place)"
  }
}
