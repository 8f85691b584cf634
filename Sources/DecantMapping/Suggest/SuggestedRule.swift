/// What a suggestion says of an entity of the destination.
struct SuggestedRule {
  /// A line of a suggestion with what it says behind it.
  struct Line {
    /// The property, of the destination where it is filled and of the source where it is dropped.
    var name: String
    /// SQL, the name of a property of the source, or the word for a generator.
    var value = ""
    /// Why, or what it is: `guess: …` for what is one.
    var comment: String
  }

  /// The entity of the destination, and the one of the source of which its objects are made.
  let entity: String
  let source: String
  /// Why this one, where it has another name.
  var comment: String?
  var settings: [Line] = []
  var generated: [Line] = []
  var drops: [Line] = []
  /// What agrees by name and is to be known all the same.
  var remarks: [String] = []
  /// The properties of the destination that nothing of the source fills.
  var unfilled: [String] = []
  /// Those of them that get what the model says for objects that are made.
  var defaulted: [String] = []

  /// Whether there is anything to say.
  var saysSomething: Bool {
    comment != nil || !settings.isEmpty || !generated.isEmpty || !drops.isEmpty || !remarks.isEmpty
      || !unfilled.isEmpty || !defaulted.isEmpty
  }

  /// Has `name` filled by `value`, which is a guess.
  mutating func set(_ name: String, _ value: String, guess: String) {
    settings.append(Line(name: name, value: value, comment: "guess: \(guess)"))
  }
}

/// One thing of each side that may be the same, and why.
struct Guess<Likeness: Comparable> {
  /// Where they stand in the lists of the two sides.
  let destination: Int
  let source: Int
  let likeness: Likeness
  /// How much of the source would come along: of two that are as likely the one with more.
  var weight: Int64 = 0

  /// Takes out of both lists what is likeliest to belong together, in the order of the destination's.
  ///
  /// - Parameters:
  ///   - free: What the destination has and nothing fills yet.
  ///   - left: What the source has and nothing took yet.
  ///   - weight: How much of the source would come along with one of `left`.
  ///   - likeness: How likely two belong together, and why; `nil` where they do not.
  /// - Returns: What is taken out, with the reasons.
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

  /// The best guesses of which no two name the same thing; of equal ones the first.
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
