internal import DecantBase
internal import DecantRecipeFormats

extension PageLine {
  /// Whether it is what pages show below a recipe; an item of the list is not.
  var endsRecipe: Bool { !isItem && PageWords.endsRecipe(text) }

  /// Whether it is the heading of another group of the list under `first`: “Zutaten Sauce” after “Zutaten Teig”.
  func isNextGroup(after first: PageLine, of part: PagePart) -> Bool {
    guard level == first.level, self.part == part, text != first.text else { return false }
    func name(_ line: PageLine) -> Substring? { line.text.split(separator: " ").first }
    return [self, first].allSatisfy { !PagePart.isName($0.text, of: part) } && name(self) == name(first)
  }

  /// The letters of an ingredient without its numbers.
  var names: [UInt8] { FoldedText.letters(of: text).filter { !(0x30...0x39 ~= $0) } }

  /// Whether it is the heading of a group of lines.
  var isGroup: Bool {
    if level != nil { return true }
    guard text.count <= 80 else { return false }
    return text.last == ":" || text.last == "：" || isBold && !isItem && digitCount == 0
  }
}

extension String {
  /// The text without the boxes, dots and dashes that mark list items.
  var withoutBullets: String {
    if let first = utf8.first, let last = utf8.last, first < 0x80, last > 0x20, last < 0x80,
      Unicode.Scalar(first).properties.isAlphabetic || 0x30...0x39 ~= first
    {
      return self
    }
    let marks: Set<Character> = [
      "▢", "□", "☐", "•", "·", "*", "–", "✓", "✔", "◦", "▪", "■", "●", "○", "-", "—", "▸", "►", "‣", "+",
    ]
    var rest = self[...]
    while let first = rest.first, marks.contains(first) || first.isWhitespace { rest = rest.dropFirst() }
    return rest.trimmed
  }

  /// Whether an item is the name of a group: in capitals, or “For the sauce”.
  var isGroupName: Bool {
    guard count <= 40, !contains(where: \.isNumber) else { return false }
    // “For serving: lemon wedges” is an ingredient.
    if let colon = firstIndex(of: ":"), self[colon...].dropFirst().contains(where: \.isLetter) { return false }
    return isLoud || beginsGroup
  }

  /// Whether it is written in capitals.
  var isLoud: Bool { count > 3 && contains(where: \.isUppercase) && !contains(where: \.isLowercase) }

  /// Whether it begins like the name of a group of ingredients: “For the sauce”.
  var beginsGroup: Bool { PageWords.groups.contains { hasPrefix($0) } }

  /// Whether it is short and not a sentence.
  var isCaption: Bool { utf8.count < 40 && !".!?。！)".contains(last ?? ".") }

  /// The text without a word such as “Step” and its number at the beginning.
  var withoutStepName: String {
    let words = split(separator: " ", maxSplits: 2)
    guard words.count == 3, PageWords.steps.contains(words[0].lowercased()) else { return self }
    let number = words[1].prefix { $0.isNumber }
    guard !number.isEmpty, words[1].dropFirst(number.count).allSatisfy({ ".:)-–/".contains($0) }) else { return self }
    return words[2].trimmed
  }

  /// Whether it is a number, or a label for the step that follows: “Step 1”, “Stap 2:”, “3.”.
  var isStepNumber: Bool {
    let words = split { !$0.isLetter && !$0.isNumber }
    guard let last = words.last, words.count <= 2 || words.count <= 4 && words[1].allSatisfy(\.isNumber) else {
      return false
    }
    if words.count == 1 { return last.allSatisfy(\.isNumber) }
    guard PageWords.steps.contains(words[0].lowercased()), words[1].allSatisfy(\.isNumber) else { return false }
    return words.count == 2 || words.count == 4 && words[3].allSatisfy(\.isNumber)
  }
}
