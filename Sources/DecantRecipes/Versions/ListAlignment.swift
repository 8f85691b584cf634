/// Finds, for the lines of one version of a list, the lines of another that they continue.
///
/// A line continues the one with the same text, wherever it stands now, else the one that it replaces: with the same
/// name, or with half of its words, or the one in its place where equal numbers of lines differ.
struct ListAlignment {
  /// A line of either version.
  struct Line {
    /// The keys by which it is compared, the most reliable first.
    let keys: [String?]
    /// The words of a text, by which it is compared if no key matches.
    var words: Set<Substring> = []

    /// Whether both have the same first key.
    func isSame(as other: Line) -> Bool { keys[0] != nil && keys[0] == other.keys[0] }

    /// Whether two texts have at least half of the words of the shorter one in common.
    fileprivate func resembles(_ other: Line) -> Bool {
      let count = min(words.count, other.words.count)
      return count > 0 && words.intersection(other.words).count * 2 >= count
    }
  }

  /// The maximum product of the numbers of lines of both versions for a comparison.
  static let limit = 1 << 20

  private let old, new: [Line]
  /// For each new line, the index of the old one that it continues.
  private(set) var partners: [Int?]
  /// The new lines that have left their place among the others; they have the first key of their partners.
  private(set) var moved: Set<Int> = []

  /// The partners of the lines that have kept their places among the others.
  var unmovedPartners: [Int?] { partners.indices.map { moved.contains($0) ? nil : partners[$0] } }

  /// Compares two versions; in very long ones a line continues the one with the same number.
  init(of new: [Line], after old: [Line]) {
    (self.old, self.new) = (old, new)
    partners = [Int?](repeating: nil, count: new.count)
    guard old.count * new.count <= Self.limit else {
      for index in new.indices.prefix(old.count) { partners[index] = index }
      return
    }
    align()
  }

  private mutating func align() {
    let anchors = common(Array(old.indices), Array(new.indices), level: 0)
    for (other, index) in anchors { partners[index] = other }
    var left: [String: [Int]] = [:]
    let kept = Set(anchors.map(\.old))
    for index in old.indices.reversed() where !kept.contains(index) {
      if let key = old[index].keys[0] { left[key, default: []].append(index) }
    }
    for index in new.indices where partners[index] == nil {
      guard let key = new[index].keys[0], let other = left[key]?.popLast() else { continue }
      partners[index] = other
      moved.insert(index)
    }
    let taken = Set(partners.compactMap(\.self))
    var (oldStart, newStart) = (0, 0)
    for (other, index) in anchors + [(old.count, new.count)] {
      replace(
        (oldStart..<other).filter { !taken.contains($0) }, (newStart..<index).filter { partners[$0] == nil }, level: 1)
      (oldStart, newStart) = (other + 1, index + 1)
    }
  }

  /// Finds partners between lines by the key of `level`, or after the last level by their words; then between the
  /// remaining ones.
  private mutating func replace(_ olds: [Int], _ news: [Int], level: Int) {
    guard let first = news.first, !olds.isEmpty else { return }
    guard level <= new[first].keys.count else {
      // With an equal number of lines, each replaces the one in its position.
      if olds.count == news.count {
        for (index, other) in zip(news, olds) { partners[index] = other }
      }
      return
    }
    var (oldRest, newRest) = (olds[...], news[...])
    for (other, index) in common(olds, news, level: level) {
      partners[index] = other
      replace(Array(oldRest.prefix { $0 != other }), Array(newRest.prefix { $0 != index }), level: level + 1)
      oldRest = oldRest.drop { $0 != other }.dropFirst()
      newRest = newRest.drop { $0 != index }.dropFirst()
    }
    replace(Array(oldRest), Array(newRest), level: level + 1)
  }

  /// Returns the longest common subsequence of some lines of each version.
  private func common(_ olds: [Int], _ news: [Int], level: Int) -> [(old: Int, new: Int)] {
    let (height, width) = (olds.count + 1, news.count + 1)
    var lengths = [Int](repeating: 0, count: height * width)
    func isEqual(_ i: Int, _ j: Int) -> Bool {
      let keys = old[olds[i]].keys
      guard level < keys.count else { return old[olds[i]].resembles(new[news[j]]) }
      let key = keys[level]
      return key != nil && key == new[news[j]].keys[level]
    }
    for i in olds.indices.reversed() {
      for j in news.indices.reversed() {
        lengths[i * width + j] =
          isEqual(i, j)
          ? lengths[(i + 1) * width + j + 1] + 1 : max(lengths[(i + 1) * width + j], lengths[i * width + j + 1])
      }
    }
    var pairs: [(Int, Int)] = []
    var (i, j) = (0, 0)
    while i < olds.count, j < news.count {
      if isEqual(i, j) {
        pairs.append((olds[i], news[j]))
        (i, j) = (i + 1, j + 1)
      } else if lengths[(i + 1) * width + j] >= lengths[i * width + j + 1] {
        i += 1
      } else {
        j += 1
      }
    }
    return pairs
  }
}
