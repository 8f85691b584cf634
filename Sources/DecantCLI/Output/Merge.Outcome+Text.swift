internal import DecantBase
internal import DecantStore
internal import DecantTransfer

extension Merge.Outcome {
  /// The number of merged sources, and the sources that were not merged.
  var verdict: String {
    let count = reports.count + left.count
    guard let first = reports.first else { return "" }
    let place = "“\(first.destination.place)”"
    guard left.isEmpty else {
      let names = left.map { "“\($0.place)”" }.joined(separator: ", ")
      return "\(reports.count) of \(count) stores merged into \(place); not merged: \(names)"
    }
    return first.isDryRun
      ? "\(count) stores, each counted as if the previous ones had been merged into \(place)"
      : "\(count) stores merged into \(place)"
  }
}
