/// The suggestion for a destination entity.
struct SuggestedRule {
  /// A line of a suggestion with its comment.
  struct Line {
    /// The property: of the destination if it is set, of the source if it is dropped.
    var name: String
    /// The SQL, the name of a source property, or the name of a generator.
    var value = ""
    /// The reason or description; a guess starts with `guess: `.
    var comment: String
  }

  /// The destination entity, and the source entity from which its objects are made.
  let entity: String
  let source: String
  /// The reason for the pairing, if the names differ.
  var comment: String?
  var settings: [Line] = []
  var generated: [Line] = []
  var drops: [Line] = []
  /// Remarks on properties that agree by name.
  var remarks: [String] = []
  /// The destination's properties that nothing in the source fills.
  var unfilled: [String] = []
  /// Those of them that get the model's default value.
  var defaulted: [String] = []

  /// Whether the rule has any content.
  var saysSomething: Bool {
    comment != nil || !settings.isEmpty || !generated.isEmpty || !drops.isEmpty || !remarks.isEmpty
      || !unfilled.isEmpty || !defaulted.isEmpty
  }

  /// Sets `name` to `value`, as a guess.
  mutating func set(_ name: String, _ value: String, guess: String) {
    settings.append(Line(name: name, value: value, comment: "guess: \(guess)"))
  }
}

/// A pair of candidates from both sides that may be the same, with the likelihood.
struct Guess<Likeness: Comparable> {
  /// The indices in the lists of the two sides.
  let destination: Int
  let source: Int
  let likeness: Likeness
  /// The amount of source data it would preserve, which decides between equally likely guesses.
  var weight: Int64 = 0

  /// Removes the most likely pairs from both lists, and returns them in the destination's order.
  ///
  /// - Parameters:
  ///   - free: The destination's unfilled candidates.
  ///   - left: The source's unused candidates.
  ///   - weight: Returns the amount of source data preserved by one of `left`.
  ///   - likeness: Returns how likely two belong together, and why; `nil` if they do not.
  /// - Returns: The pairs with their reasons.
  static func takePairs<Side>(
    _ free: inout [Side],
    _ left: inout [Side],
    weight: (Side) -> Int64,
    likeness: (Side, Side) -> (Likeness, String)?
  ) -> [(side: Side, own: Side, reason: String)] {
    var guesses: [Guess] = []
    for (index, side) in free.enumerated() {
      for (other, own) in left.enumerated() {
        guard let (likeness, _) = likeness(side, own) else { continue }
        guesses.append(Guess(destination: index, source: other, likeness: likeness, weight: weight(own)))
      }
    }
    let best = Guess.best(of: guesses).sorted { $0.destination < $1.destination }
    let pairs = best.map { guess in
      let (side, own) = (free[guess.destination], left[guess.source])
      return (side, own, likeness(side, own)?.1 ?? "")
    }
    let (taken, used) = (Set(best.map(\.destination)), Set(best.map(\.source)))
    free = free.enumerated().filter { !taken.contains($0.offset) }.map(\.element)
    left = left.enumerated().filter { !used.contains($0.offset) }.map(\.element)
    return pairs
  }

  /// Returns the best guesses without conflicts; of equal ones the first.
  static func best(of guesses: [Guess]) -> [Guess] {
    var (destinations, sources): (Set<Int>, Set<Int>) = ([], [])
    let sorted = guesses.sorted {
      ($1.likeness, $1.weight, $0.destination, $0.source)
        < ($0.likeness, $0.weight, $1.destination, $1.source)
    }
    return sorted.filter { guess in
      guard !destinations.contains(guess.destination), !sources.contains(guess.source) else {
        return false
      }
      destinations.insert(guess.destination)
      sources.insert(guess.source)
      return true
    }
  }
}
