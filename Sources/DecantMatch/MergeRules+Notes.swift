internal import DecantBase
internal import DecantPlan

extension MergeRules {
  /// Returns the name of the method of `rank`.
  package func likenessName(_ rank: Int) -> String {
    guard let ways = likeness?.ways, ways.indices.contains(rank) else { return "" }
    return ways[rank].name
  }

  /// Returns the notes on objects that are left with other values.
  func likenessNotes(_ terms: Terms) -> [ReportNote] {
    guard let likeness, !stayingTitles.isEmpty else { return [] }
    let titles = stayingTitles.joined(separator: ", ")
    return [
      ReportNote(
        .differentContent,
        "\(likeness.entity) with different values in the source, not copied: \(titles)\(stayingTitles.count < 5 ? "" : ", …")",
        remedy:
          "\(say: .merge, "update") takes them, keep-both adds them as new objects, \(option: .base) with an older version "
          + "takes what has changed since"
      )
    ]
  }

  /// Returns the notes on objects without a modification time in both stores.
  func undatedNotes(_ terms: Terms) -> [ReportNote] {
    undatedCounts.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { entity, count in
      ReportNote(
        .timesMissing,
        "\(option: .merge, "newest"): \(count.counted(terms.object)) of \(entity) \(count == 1 ? "has" : "have") "
          + "no modification time in one of the stores, or none that can be compared, so the destination's values are kept",
        remedy: "\(say: .merge, "update") takes the source's"
      )
    }
  }
}
