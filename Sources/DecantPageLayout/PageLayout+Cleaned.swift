internal import DecantBase
internal import DecantRecipeFormats

extension PageLayout {
  /// Returns a list without the other elements that pages put into it.
  static func cleaned(_ lines: [PageLine], _ part: PagePart) -> [PageLine] {
    let lines = (part == .steps ? lines.untilEnd : lines).withoutCaptions
    let areItems = lines.areItems
    var hasLines = false
    var list = (part == .steps ? lines.withoutNumbers : lines).withoutNutrients.compactMap { line -> PageLine? in
      var line = line
      line.text = line.text.withoutBullets
      if part == .steps {
        if line.text.isStepNumber || line.kind == .text && PageWords.isBeside(line.text) { return nil }
        line.text = line.text.withoutStepName.withoutStepNumber.withoutBullets
      }
      if line.text.isEmpty { return nil }
      if let named = line.part, !(line.isItem && part == .steps) {
        // “Preparing the sauce” is a group of steps, but “Preparation” is all of them.
        let isGroup = hasLines && line.digitCount == 0 && !PagePart.isName(line.text, of: part)
        guard part == .steps || line.level != nil, named == part, isGroup else { return nil }
        return PageLine(text: line.text, kind: .text, isBold: true)
      }
      hasLines = hasLines || !line.isGroup
      if part == .ingredients, areItems, !line.isItem, !line.isGroup { return nil }
      if PageWords.isControl(line.text) || part == .ingredients && isTime(line.text) { return nil }
      return line
    }
    if part == .ingredients {
      list.markGroupNames()
      list.markGroups()
    }
    let isList = list.count { $0.isItem } * 2 > list.count
    while let last = list.last,
      last.isGroup
        || part == .steps && (last.isItem != isList || last.isLink) && last.text.isCaption
    {
      list.removeLast()
    }
    list.removeRepetitions(part)
    return list
  }
}

extension [PageLine] {
  /// The lines without their numbers, if all except the headings are numbered in order.
  fileprivate var withoutNumbers: [PageLine] {
    var lines = self
    var next = 1
    for index in indices where !self[index].isGroup {
      let digits = self[index].text.prefix { $0.isNumber }
      guard Int(digits) == next else { return self }
      lines[index].text =
        self[index].text.dropFirst(digits.count).drop { !$0.isLetter && !$0.isNumber && $0 != "(" }.trimmed
      next += 1
    }
    return next > 2 ? lines : self
  }

  /// The lines without captions of pictures, unless they are most of it.
  fileprivate var withoutCaptions: [PageLine] {
    let count = count { $0.role.contains(.caption) }
    return count > 0 && count * 2 < self.count { !$0.isGroup } ? filter { !$0.role.contains(.caption) } : self
  }

  /// The lines above the first one that pages show below a recipe.
  fileprivate var untilEnd: [PageLine] {
    guard let first = firstIndex(where: { !$0.isGroup }) else { return self }
    let end = self[(first + 1)...].firstIndex { $0.endsRecipe }
    return end.map { Array(self[..<$0]) } ?? self
  }

  /// The lines without four or more nutrients in a row; fewer, such as salt and fat, are ingredients.
  fileprivate var withoutNutrients: [PageLine] {
    let isNutrient = map { PageWords.isNutrient($0.text) }
    guard isNutrient.contains(true), isNutrient.contains(false) else { return self }
    return indices.filter { index in
      let before = isNutrient[..<index].suffix(3).reversed().prefix { $0 }.count
      return !isNutrient[index] || before + isNutrient[index...].prefix(4).prefix { $0 }.count < 4
    }.map { self[$0] }
  }

  /// Whether the items among the lines are the list, and other lines are not.
  fileprivate var areItems: Bool {
    let items = filter { $0.isItem && !$0.isGroup }
    let others = filter { !$0.isItem && !$0.isGroup }
    if items.count > 2 || others.isEmpty { return true }
    // One or two may be a part of another element.
    let areOthersMore = others.count > items.count && others.contains { $0.digitCount > 0 }
    return items.allSatisfy { $0.digitCount > 0 } && !items.isEmpty && !areOthersMore
  }

  /// Turns items that are named like groups into headings if other items follow each of them.
  fileprivate mutating func markGroupNames() {
    let items = filter(\.isItem)
    // A list in capitals has no headings in capitals.
    let areLoud = items.count { $0.text.isLoud } * 2 > items.count
    for index in indices.dropLast() where self[index].isItem && self[index + 1].isItem {
      let (text, next) = (self[index].text, self[index + 1].text)
      guard text.isGroupName, areLoud ? !text.isLoud : text.beginsGroup || !next.isGroupName else { continue }
      self[index] = PageLine(text: text, kind: .text, isBold: true)
    }
  }

  /// Turns items that are entirely bold into headings if they are few, and other items follow each of them.
  fileprivate mutating func markGroups() {
    func isLoud(_ line: PageLine) -> Bool {
      guard line.isItem, line.isBold, line.digitCount == 0, line.text.count <= 60 else { return false }
      // “Pinch of salt” is an ingredient.
      return RecipeIngredient(line: "1 \(line.text)").unit == nil
    }
    let loud = indices.filter { isLoud(self[$0]) }
    guard !loud.isEmpty, loud.count * 2 <= count(where: \.isItem),
      count(where: { $0.isItem && $0.isBold }) == loud.count,
      loud.allSatisfy({ $0 + 1 < count && self[$0 + 1].isItem && !isLoud(self[$0 + 1]) })
    else { return }
    for index in loud { self[index] = PageLine(text: self[index].text, kind: .text, isBold: true) }
  }

  /// Removes copies of the list from its end: for narrow windows, for printing or in other units.
  ///
  /// Lines that are alike within one list are no sign of a copy: “200 g”, “100 g”, or dough that is folded three times.
  fileprivate mutating func removeRepetitions(_ part: PagePart) {
    let words = map { line -> ArraySlice<UInt8> in
      if part == .steps { return ArraySlice(line.text.utf8) }
      // In other units, lines end in the same word.
      return FoldedText.searched(line.text).split { $0 < 0x80 && !(0x61...0x7a).contains($0) }.last ?? []
    }
    let half = count / 2
    if half * 2 == count, half > 2 || part == .steps, Set(words[..<half]).count * 4 >= half * 3,
      words[half...] == words[..<half]
    {
      return removeLast(half)
    }
    guard part == .steps, count >= 10, count <= 400 else { return }
    // Other lines may stand around the copies of a long list.
    for length in 5...half {
      for start in 0...(count - 2 * length) where words[start] == words[start + length] {
        let (list, copy) = (start..<(start + length), (start + length)..<(start + 2 * length))
        guard words[list] == words[copy], Set(words[list]).count == length else { continue }
        removeSubrange(copy)
        return removeRepetitions(part)
      }
    }
  }

  /// The number of bytes of text in the lines, without headings of groups.
  var length: Int { reduce(0) { $0 + ($1.isGroup ? 0 : $1.text.utf8.count) } }
}
