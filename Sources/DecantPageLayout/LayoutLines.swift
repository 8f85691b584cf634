internal import DecantRecipeFormats

/// Compares the ingredients of structured data with a list that the page shows.
struct LayoutIngredients {
  private let given: [RecipeIngredient]
  private let shown: [RecipeIngredient]

  /// - Parameters:
  ///   - given: The ingredients of the structured data.
  ///   - list: The lines that the page shows.
  ///   - steps: The steps of the structured data: a line of them is no ingredient.
  init(_ given: [RecipeIngredient], _ list: [PageLine], without steps: [RecipeStep]) {
    self.given = given
    // Without given ingredients, the steps may wrongly begin with them.
    let texts = given.isEmpty ? [] : Set(steps.map { FoldedText.letters(of: $0.text) })
    func isStep(_ line: PageLine) -> Bool {
      let letters = FoldedText.letters(of: line.text)
      return texts.contains(letters) || texts.contains(Array(letters.drop { 0x30...0x39 ~= $0 }))
    }
    let list = texts.isEmpty ? list : list.filter { $0.isGroup || !isStep($0) }
    let isList = list.contains { !$0.isGroup }
    shown =
      isList ? list.map { RecipeIngredient($0.isGroup ? $0.text.withoutColon : $0.text, isHeading: $0.isGroup) } : []
  }

  /// The shown list, with improvements over the given one; `nil` if it has none.
  var better: [RecipeIngredient]? {
    let own = given.filter { !$0.isHeading }.map(\.text)
    let lines = shown.filter { !$0.isHeading }.map(\.text)
    guard !lines.isEmpty else { return nil }
    if own.isEmpty { return lines.count > 1 ? shown : nil }
    // Only the headings of groups are given.
    let headings = shown.filter(\.isHeading)
    if headings.count >= own.count, lines.count > own.count, Self.holds(headings, own) { return shown }
    let ownWords = own.map(Self.words)
    let lineWords = lines.map(Self.words)
    // All lines are given as one text.
    if own.count == 1, lines.count > 2 {
      let all = FoldedText.letters(of: own[0])
      let held = lines.count { all.contains(FoldedText.letters(of: $0)) }
      return held * 10 >= lines.count * 8 ? shown : nil
    }
    // The lines are given in fragments.
    if own.count > lines.count, FoldedText.letters(of: own.joined()) == FoldedText.letters(of: lines.joined()) {
      return shown
    }
    // The lines are the same, but the page shows headings.
    if own.count == lines.count,
      zip(own, lines).allSatisfy({ FoldedText.letters(of: $0) == FoldedText.letters(of: $1) })
    {
      return given.contains(where: \.isHeading) == shown.contains(where: \.isHeading) ? nil : headed
    }
    // Some of the given lines are headings on the page.
    if given.count == shown.count,
      zip(given, shown).allSatisfy({ FoldedText.letters(of: $0.text) == FoldedText.letters(of: $1.text) })
    {
      return zip(given, shown).map { RecipeIngredient($0.text, isHeading: $1.isHeading) }
    }
    let held = Self.heldCount(ownWords, lineWords)
    guard held * 10 >= own.count * 9 else { return nil }
    let digits = (own.count { $0.contains(where: \.isNumber) }, lines.count { $0.contains(where: \.isNumber) })
    if lines.count > own.count {
      let isWhole = (digits.1 - digits.0) * 2 > lines.count - own.count
      return isWhole && lines.count <= own.count * 3 + 3 ? shown : nil
    }
    guard lines.count == own.count else { return nil }
    let isSame = zip(ownWords, lineWords).allSatisfy { $0.isSubset(of: $1) }
    // The page adds amounts at the beginning of lines.
    let starts = (own.count { $0.first?.isNumber == true }, lines.count { $0.first?.isNumber == true })
    if isSame, starts.0 * 5 < own.count, starts.1 * 10 > lines.count * 6 { return shown }
    // An amount in another unit is not an additional amount: the list is better only if most given lines have none.
    return digits.1 > digits.0 && digits.0 * 2 < own.count ? shown : nil
  }

  /// Returns the number of sets in `own` that are subsets of one in `lines`.
  private static func heldCount(_ own: [Set<String>], _ lines: [Set<String>]) -> Int {
    var lineNumbers: [String: [Int]] = [:]
    for (number, words) in lines.enumerated() {
      for word in words { lineNumbers[word, default: []].append(number) }
    }
    return own.count { words in
      // Only the lines with the rarest of the words can hold all of them.
      let rarest = words.map { lineNumbers[$0] ?? [] }.min { $0.count < $1.count }
      return rarest?.contains { words.isSubset(of: lines[$0]) } ?? !lines.isEmpty
    }
  }

  private static func holds(_ headings: [RecipeIngredient], _ texts: [String]) -> Bool {
    let known = Set(headings.map { FoldedText.letters(of: $0.text) })
    return texts.allSatisfy { known.contains(FoldedText.letters(of: $0)) }
  }

  /// The given ingredients with the headings that the page shows.
  private var headed: [RecipeIngredient]? {
    guard !given.contains(where: \.isHeading) else { return nil }
    var rest = given[...]
    return shown.compactMap { $0.isHeading ? $0 : rest.popFirst() }
  }

  /// Returns the words and the numbers of a line; “500gr” has two, and “1 ½” and “1 1/2” are the same.
  private static func words(_ text: String) -> Set<String> {
    let folded = FoldedText.searchedText(text)
    var words: Set<String> = []
    var word = ""
    var isNumber = false
    func end() {
      if !word.isEmpty { words.insert(word) }
      word = ""
    }
    for scalar in folded.unicodeScalars {
      let fraction = scalar.isASCII ? nil : fractions[scalar]
      let isDigit = "0"..."9" ~= scalar
      guard fraction != nil || isDigit || scalar.properties.isAlphabetic else {
        end()
        continue
      }
      if let fraction {
        end()
        words.formUnion(fraction)
      } else {
        if isDigit != isNumber { end() }
        word.unicodeScalars.append(scalar)
        isNumber = isDigit
      }
    }
    end()
    return words
  }

  private static let fractions: [Unicode.Scalar: [String]] = [
    "½": ["1", "2"], "¼": ["1", "4"], "¾": ["3", "4"], "⅓": ["1", "3"], "⅔": ["2", "3"], "⅛": ["1", "8"],
    "⅜": ["3", "8"],
    "⅝": ["5", "8"], "⅞": ["7", "8"],
  ]
}

/// Compares the steps of structured data with a list that the page shows.
struct LayoutSteps {
  private let given: [RecipeStep]
  private let shown: [RecipeStep]
  /// Whether a heading or an element of the page announces the steps: they may all be short then.
  private let areAnnounced: Bool
  /// Whether the page is certain to give a recipe: its steps may be as short as “Mix.”.
  private let areCertain: Bool

  init(_ given: [RecipeStep], _ list: [PageLine], areAnnounced: Bool, areCertain: Bool = false) {
    (self.given, self.areAnnounced, self.areCertain) = (given, areAnnounced, areCertain)
    shown = list.map { RecipeStep($0.isGroup ? $0.text.withoutColon : $0.text, isHeading: $0.isGroup) }
  }

  /// The shown list, if it improves on the given one; `nil` otherwise.
  var better: [RecipeStep]? {
    let own = given.filter { !$0.isHeading }.map(\.text)
    let lines = shown.filter { !$0.isHeading }.map(\.text)
    let isLong = lines.contains { $0.count > 20 || $0.utf8.count > 30 }
    let wordCount = lines.reduce(0) { $0 + $1.split(separator: " ").count }
    let areShort = lines.count > 1 && wordCount >= lines.count * 3 && lines.reduce(0) { $0 + $1.count } >= 30
    let mayBeShort = areCertain && !lines.isEmpty || areAnnounced && areShort
    guard isLong || mayBeShort && given.isEmpty && !lines.contains(where: PageLayout.isTime) else {
      return nil
    }
    let letters = own.map { FoldedText.letters(of: $0) }.filter { !$0.isEmpty }
    if letters.isEmpty { return shown }
    if own.count == lines.count, !given.contains(where: \.isHeading), shown.contains(where: \.isHeading),
      zip(own, lines).allSatisfy({ FoldedText.letters(of: $0) == FoldedText.letters(of: $1) })
    {
      var rest = given[...]
      return shown.compactMap { $0.isHeading ? $0 : rest.popFirst() }
    }
    guard given.allSatisfy({ $0.title?.isStepNumber ?? true }), lines.count > own.count else { return nil }
    // More than two are complete, unless they are no more than names.
    let areNames =
      own.count <= 100 && letters.allSatisfy { $0.count < 40 } && own.allSatisfy { !".!?。！？".contains($0.last ?? " ") }
    guard own.count <= 2 || areNames else { return nil }
    return isDivided(letters, lines) || isShownInFull(letters, isFew: own.count <= 2) ? shown : nil
  }

  /// Whether the shown steps are the given ones, apart from headings.
  var isSame: Bool {
    let own = given.filter { !$0.isHeading }
    let lines = shown.filter { !$0.isHeading }
    return !own.isEmpty && own.count == lines.count
      && zip(own, lines).allSatisfy { FoldedText.letters(of: $0.text) == FoldedText.letters(of: $1.text) }
  }

  /// Whether the page divides the text that is given in one or two steps.
  private func isDivided(_ own: [[UInt8]], _ lines: [String]) -> Bool {
    guard own.count <= 2 else { return false }
    let all = Array(own.joined())
    let held = lines.count { all.contains(FoldedText.letters(of: $0)) }
    return held * 10 >= lines.count * 8
  }

  /// Whether the given steps are only the beginnings of shown ones, or one or two of many.
  ///
  /// What the page shows around complete steps is no reason: it must go on with these steps, or consist of sentences.
  private func isShownInFull(_ own: [[UInt8]], isFew: Bool) -> Bool {
    let length = own.reduce(0) { $0 + $1.count }
    guard shown.reduce(0, { $0 + $1.text.utf8.count }) > length * 2 else { return false }
    let texts = shown.map { FoldedText.letters(of: $0.text) }
    /// The length of the text in a line that is not given.
    func addition(_ text: [UInt8]) -> Int { max(0, own.reduce(text.count) { $0 - (text.contains($1) ? $1.count : 0) }) }
    var (isFound, added, end) = (own.map { _ in false }, 0, 0)
    for (index, text) in texts.enumerated() where index >= end {
      let bare = text.drop { 0x30...0x39 ~= $0 }
      let begun = own.indices.filter { text.starts(with: own[$0]) || bare.starts(with: own[$0]) }
      guard !begun.isEmpty else { continue }
      for step in begun { isFound[step] = true }
      // A heading stands for the lines below it.
      let below = shown[index].isHeading ? shown[(index + 1)...].firstIndex(where: \.isHeading) ?? shown.count : index
      end = max(index + 1, below)
      added += texts[index..<end].reduce(0) { $0 + addition($1) }
    }
    guard !isFound.contains(false) else { return false }
    let sentences = zip(shown, texts).filter { $0.0.isSentence }
    return added > length || isFew && sentences.reduce(0) { $0 + addition($1.1) } > length
  }
}

extension [UInt8] {
  /// Whether `part` occurs in the bytes.
  fileprivate func contains(_ part: [UInt8]) -> Bool {
    guard let first = part.first, part.count <= count else { return part.isEmpty }
    var place = 0
    while let next = self[place..<(count - part.count + 1)].firstIndex(of: first) {
      if self[next...].starts(with: part) { return true }
      place = next + 1
      if place > count - part.count { break }
    }
    return false
  }
}
