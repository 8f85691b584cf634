/// Assigns the places of an old version of a list to the lines of a new one.
///
/// An unchanged line keeps its place, a replaced line passes its place on, and an inserted line gets one between its
/// neighbours. Thus a store in which a user has inserted lines keeps its order.
struct ListAlignment {
  /// A line of either version.
  struct Line {
    /// The keys by which it is compared, the most reliable first.
    let keys: [String?]
    /// The words of a text, by which it is compared if no key matches.
    var words: Set<Substring> = []

    /// Whether two texts have at least half of the words of the shorter one in common.
    fileprivate func resembles(_ other: Line) -> Bool {
      let count = min(words.count, other.words.count)
      return count > 0 && words.intersection(other.words).count * 2 >= count
    }
  }

  /// The distance between two neighbouring places in a new list.
  static let distance: Int64 = 1024
  /// The maximum product of the numbers of lines of both versions for a comparison.
  private static let limit = 1 << 20

  private let old, new: [Line]
  private let oldPlaces: [Int64]
  /// For each new line, the index of the old one whose place it gets.
  private var partners: [Int?]

  private init(_ old: [Line], _ oldPlaces: [Int64], _ new: [Line]) {
    (self.old, self.oldPlaces, self.new) = (old, oldPlaces, new)
    partners = [Int?](repeating: nil, count: new.count)
  }

  /// Returns the places of the lines `new`.
  static func places(of new: [Line], after old: [Line], at oldPlaces: [Int64]) -> [Int64] {
    let fresh = new.indices.map { Int64($0 + 1) * distance }
    let isRising = zip(oldPlaces, oldPlaces.dropFirst()).allSatisfy { $0 < $1 }
    guard old.count == oldPlaces.count, isRising, old.count * new.count <= limit else { return fresh }
    var alignment = ListAlignment(old, oldPlaces, new)
    alignment.align(0..<old.count, 0..<new.count, level: 0)
    return alignment.places() ?? fresh
  }

  /// Finds partners between two ranges of lines by the key of `level`, or after the last level by their words; then
  /// between the remaining ones.
  private mutating func align(_ olds: Range<Int>, _ news: Range<Int>, level: Int) {
    guard !olds.isEmpty, !news.isEmpty else { return }
    guard level <= new[news.lowerBound].keys.count else {
      // With an equal number of lines, each replaces the one in its position.
      if olds.count == news.count {
        for (index, other) in zip(news, olds) { partners[index] = other }
      }
      return
    }
    var (oldStart, newStart) = (olds.lowerBound, news.lowerBound)
    for (other, index) in common(olds, news, level) {
      partners[index] = other
      align(oldStart..<other, newStart..<index, level: level + 1)
      (oldStart, newStart) = (other + 1, index + 1)
    }
    align(oldStart..<olds.upperBound, newStart..<news.upperBound, level: level + 1)
  }

  /// Returns the longest common subsequence of two ranges.
  private func common(_ olds: Range<Int>, _ news: Range<Int>, _ level: Int) -> [(old: Int, new: Int)] {
    let (height, width) = (olds.count + 1, news.count + 1)
    var lengths = [Int](repeating: 0, count: height * width)
    func isEqual(_ i: Int, _ j: Int) -> Bool {
      let keys = old[olds.lowerBound + i].keys
      guard level < keys.count else { return old[olds.lowerBound + i].resembles(new[news.lowerBound + j]) }
      let key = keys[level]
      return key != nil && key == new[news.lowerBound + j].keys[level]
    }
    for i in (0..<olds.count).reversed() {
      for j in (0..<news.count).reversed() {
        lengths[i * width + j] =
          isEqual(i, j)
          ? lengths[(i + 1) * width + j + 1] + 1 : max(lengths[(i + 1) * width + j], lengths[i * width + j + 1])
      }
    }
    var pairs: [(Int, Int)] = []
    var (i, j) = (0, 0)
    while i < olds.count, j < news.count {
      if isEqual(i, j) {
        pairs.append((olds.lowerBound + i, news.lowerBound + j))
        (i, j) = (i + 1, j + 1)
      } else if lengths[(i + 1) * width + j] >= lengths[i * width + j + 1] {
        i += 1
      } else {
        j += 1
      }
    }
    return pairs
  }

  /// Returns the places; `nil` if there is no room between two of them.
  private func places() -> [Int64]? {
    var places: [Int64] = []
    var index = 0
    while index < new.count {
      if let partner = partners[index] {
        places.append(oldPlaces[partner])
        index += 1
        continue
      }
      let end = new.indices[index...].first { partners[$0] != nil } ?? new.count
      let count = Int64(end - index + 1)
      let low = places.last ?? 0
      let next = end < new.count ? partners[end].map { oldPlaces[$0] } : nil
      let high = next ?? max(low, oldPlaces.last ?? 0) + count * Self.distance
      guard high - low >= count else { return nil }
      for step in 1..<count { places.append(low + (high - low) * step / count) }
      index = end
    }
    return places
  }
}
