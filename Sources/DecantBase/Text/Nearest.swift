extension String {
  /// Returns the name in `names` that is most similar to this one; `nil` if none is similar.
  package func nearest(in names: some Sequence<String>) -> String? {
    let limit = max(1, count / 3)
    return
      names
      .map { (name: $0, distance: distance(to: $0)) }
      .filter { $0.distance <= limit }
      .min { $0.distance < $1.distance }?
      .name
  }

  /// Returns a remedy for this name, which is not among `names`: the similar name, or all names.
  ///
  /// - Parameters:
  ///   - names: The valid names.
  ///   - kind: What they name, in the plural.
  /// - Returns: The end of a message.
  package func remedy(among names: [String], of kind: String = Terms.objects.entities) -> String {
    if let name = nearest(in: names) { return "did you mean \(name)?" }
    return names.isEmpty ? "it has no \(kind)" : "its \(kind) are \(names.joined(separator: ", "))"
  }

  /// Returns the edit distance to `other`: letters inserted, deleted, replaced, or swapped with their neighbour.
  package func distance(to other: String) -> Int {
    let (mine, theirs) = (Array(lowercased()), Array(other.lowercased()))
    var beforePrevious: [Int] = []
    var previous = Array(0...theirs.count)
    for (row, letter) in mine.enumerated() {
      var current = [row + 1]
      for (column, candidate) in theirs.enumerated() {
        let change = previous[column] + (letter == candidate ? 0 : 1)
        var fewest = Swift.min(change, previous[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, letter == theirs[column - 1], candidate == mine[row - 1] {
          fewest = Swift.min(fewest, beforePrevious[column - 1] + 1)
        }
        current.append(fewest)
      }
      beforePrevious = previous
      previous = current
    }
    return previous[theirs.count]
  }
}
