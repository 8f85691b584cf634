extension String {
  /// Returns the name in `names` that this one was probably meant to be, or `nil`.
  package func nearest(in names: some Sequence<String>) -> String? {
    let limit = max(1, count / 3)
    return names
      .map { (name: $0, distance: distance(to: $0)) }
      .filter { $0.distance <= limit }
      .min { $0.distance < $1.distance }?
      .name
  }

  /// Counts the letters that must be added, taken away or changed to make this text into `other`.
  private func distance(to other: String) -> Int {
    let (mine, theirs) = (Array(lowercased()), Array(other.lowercased()))
    var previous = Array(0...theirs.count)
    for (row, letter) in mine.enumerated() {
      var current = [row + 1]
      for (column, candidate) in theirs.enumerated() {
        let change = previous[column] + (letter == candidate ? 0 : 1)
        current.append(Swift.min(change, previous[column + 1] + 1, current[column] + 1))
      }
      previous = current
    }
    return previous[theirs.count]
  }
}
