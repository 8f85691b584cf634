internal import DecantBase
internal import DecantRecipeFormats

/// The possible lists of a part of a recipe.
extension PageLayout {
  /// A possible list of a part.
  struct List {
    var lines: [PageLine]
    /// The place of its first line in the page.
    var start: Int
  }

  /// Returns the possible lists of a part, the likeliest first; steps are likelier behind the ingredients.
  ///
  /// Lines as short as “Mix.” count as steps only if `areShort` is set.
  static func lists(_ part: PagePart, _ page: PageLines, behind first: Int? = nil, areShort: Bool = false) -> [List] {
    let headings = page.lines.indices.filter { page.parts[$0] == part }.prefix(50)
    let headed = headings.map { List(lines: under($0, part, page), start: $0) }
    func cleaned(_ lists: [List]) -> [List] {
      lists.map { List(lines: PageLayout.cleaned($0.lines, part), start: $0.start) }
        .filter { !$0.lines.isEmpty }
    }
    var lists = cleaned(groups(part, page) + headed)
    if lists.isEmpty, part == .ingredients {
      lists = page.lines.indices.filter { page.parts[$0] == .steps }.prefix(50).map {
        List(lines: above($0, page), start: $0)
      }.filter { $0.lines.count > 2 }
      if lists.isEmpty { lists = cleaned([List(lines: unnamed(page), start: 0)]) }
    }
    // The list with the most content is preferred; among lists with similar content, the one with the least else.
    let weights = lists.map { weight($0.lines, part, areShort: areShort) }
    let most = weights.max() ?? 0
    // A post may tell more about the steps than the recipe below it: the first full list behind the ingredients counts.
    func isFull(_ index: Int) -> Bool { lists[index].lines.count > 1 && weights[index] * 6 >= most }
    let behind = first.map { first in lists.indices.filter { lists[$0].start > first && isFull($0) } } ?? []
    let next = behind.map { lists[$0].start }.min()
    // The heading of a list is directly above the elements that are named after it.
    let isNext = lists.indices.map { index in
      next.map { (0...3).contains(lists[index].start - $0) } == true && isFull(index)
    }
    let order = lists.indices.sorted { one, other in
      if isNext[one] != isNext[other] { return isNext[one] }
      let isFull = (weights[one] * 10 >= most * 8, weights[other] * 10 >= most * 8)
      if isFull.0 != isFull.1 { return isFull.0 }
      if !isFull.0 { return (weights[one], other) > (weights[other], one) }
      // The list around the rows also contains their headings.
      let (first, second) = (lists[one].lines, lists[other].lines)
      return (first.length, -first.count, one) < (second.length, -second.count, other)
    }
    return order.filter { weights[$0] > 0 }.map { lists[$0] }
  }

  /// Returns how much content of its part a list has.
  private static func weight(_ list: [PageLine], _ part: PagePart, areShort: Bool) -> Int {
    switch part {
    case .ingredients:
      let entries = list.filter { !$0.isGroup }
      let amounts = entries.count { $0.digitCount > 0 && $0.text.count < 200 }
      let short = entries.filter { $0.text.count < 120 }
      // Many links without amounts are rather a menu.
      let links = short.count { $0.isLink && $0.digitCount == 0 }
      let names = short.count - links + min(links, 5)
      return amounts * 3 + names - entries.count { $0.text.count > 250 } * 3
    default: return list.reduce(0) { $0 + ($1.isGroup || !areShort && $1.text.count < 12 ? 0 : $1.text.count) }
    }
  }

  /// Returns the lines of similar regions together, except regions that contain the other part.
  private static func groups(_ part: PagePart, _ page: PageLines) -> [List] {
    let others = page.regions.filter { $0.part != part }
    var order: [String] = []
    var groups: [String: [Range<Int>]] = [:]
    for region in page.regions.sorted(by: {
      ($0.lines.lowerBound, -$0.lines.count) < ($1.lines.lowerBound, -$1.lines.count)
    })
    where region.part == part {
      if others.contains(where: { region.lines.contains($0.lines.lowerBound) && $0.lines.count < region.lines.count }),
        part == .ingredients
          || page.regions.contains(where: {
            $0.part == .ingredients && $0.lines.count > 1 && region.lines.contains($0.lines.lowerBound)
          })
      {
        continue
      }
      if let last = groups[region.kind]?.last, last.contains(region.lines.lowerBound) { continue }
      if groups[region.kind] == nil { order.append(region.kind) }
      groups[region.kind, default: []].append(region.lines)
    }
    return order.map { kind in
      var seen: Set<[String]> = []
      let ranges = groups[kind] ?? []
      let lines = ranges.flatMap { range -> [PageLine] in
        let lines = Array(page.lines[range])
        // Many pages contain a list twice: for printing, or for narrow windows.
        guard lines.count == 1 || seen.insert(lines.map(\.text)).inserted else { return [] }
        return lines
      }
      return List(lines: lines, start: ranges.first?.lowerBound ?? 0)
    }
  }

  /// Returns the lines under the heading at `place`, up to the next one of its level or of another part.
  private static func under(_ place: Int, _ part: PagePart, _ page: PageLines) -> [PageLine] {
    let level = page.lines[place].level ?? 4
    var list: [PageLine] = []
    var hasItems = false
    let first = place + 1 + page.tabs(at: place)
    for index in first..<max(first, min(first + 400, page.lines.count)) {
      let (line, next) = (page.lines[index], page.parts[index])
      if let next, next != part { break }
      if part == .steps, !list.isEmpty, line.endsRecipe { break }
      if let other = line.level {
        if line.isNextGroup(after: page.lines[place], of: part) || page.continues(part, at: index) {
          hasItems = false
        } else if other <= level, !list.isEmpty || other < level {
          break
        }
        list.append(line)
        continue
      }
      if line.isBold, !line.isItem, part == .ingredients, page.continues(part, at: index) {
        var group = line
        group.kind = .heading(6)
        list.append(group)
        hasItems = false
        continue
      }
      if line.isItem {
        hasItems = true
      } else if part == .steps, line.text.isStepNumber, line.text.contains(where: \.isLetter) {
        // “Step 2”; a number alone may be one of comments.
        hasItems = false
      } else if hasItems, !line.isGroup {
        // Text after a list is about something else.
        guard part == .steps, line.text.count < 30 else { break }
      } else if part == .ingredients, line.text.count > 160 {
        if list.isEmpty { continue }
        break
      }
      list.append(line)
    }
    return list
  }

  /// Returns the short lines with amounts above the heading of the steps, if nothing announces the ingredients.
  private static func above(_ place: Int, _ page: PageLines) -> [PageLine] {
    let lines = page.lines[..<place].reversed().prefix(60).prefix { $0.level == nil && $0.text.count < 100 }
    let items = lines.prefix { $0.isItem }
    let list = items.count > 2 ? Array(items.reversed()) : Array(lines.reversed().drop { $0.digitCount == 0 })
    return list.count { $0.text.first?.isNumber == true } * 10 >= list.count * 6 ? list : []
  }

  /// Returns the longest list in which most lines are amounts with units, for a page that labels none as ingredients.
  private static func unnamed(_ page: PageLines) -> [PageLine] {
    let runs = page.lines.split { !$0.isItem || $0.text.count > 120 }
    let lists = runs.filter { run in
      let amounts = run.count { $0.text.first?.isNumber == true && RecipeIngredient(line: $0.text).unit != nil }
      return amounts > 2 && amounts * 10 >= run.count * 5
    }
    return Array(lists.max { $0.count < $1.count } ?? [])
  }

  /// Returns the text after a list of ingredients, up to the next heading: steps without a heading.
  static func behind(_ list: [PageLine], _ page: PageLines) -> [PageLine] {
    guard let last = list.last?.text,
      let place = page.lines.lastIndex(where: { $0.text == last || $0.text.withoutBullets == last })
    else { return [] }
    var rest = page.lines[(place + 1)...].prefix(100)
    if rest.first?.level != nil, page.parts[place + 1] != .other { rest = rest.dropFirst() }
    let lines = zip(rest, page.parts[rest.startIndex...]).prefix { $0.0.level == nil && $0.1 != .other }.map(\.0)
    return lines.contains { $0.text.utf8.count > 60 } ? lines : []
  }
}

extension PageLines {
  /// Returns whether a heading of any level at `place` begins another group of the list above it.
  ///
  /// Ingredients go on in a list below it, most of it with amounts, before a heading announces the steps; steps go on
  /// below “Step 2”, or below the name of a group of ingredients.
  fileprivate func continues(_ part: PagePart, at place: Int) -> Bool {
    let text = lines[place].text
    guard text.count <= 80, place + 1 < lines.count, parts[place] == nil || parts[place] == part else { return false }
    if part == .steps {
      if text.isStepNumber || text.withoutStepName != text { return true }
      let letters = FoldedText.letters(of: text)
      return lines[max(0, place - 300)..<place].contains { line in
        line.isGroup && abs(line.text.utf8.count - text.utf8.count) <= 3 && FoldedText.letters(of: line.text) == letters
      }
    }
    guard lines[place + 1].isItem, lines[place].digitCount == 0 || text.last == ")" else { return false }
    let group = lines[(place + 1)...].prefix(40).prefix { $0.isItem }
    // A list of links, or of facts about the dish, is no group.
    guard group.count(where: \.isLink) * 2 <= group.count,
      !group.contains(where: { PageLayout.isTime($0.text) || $0.text.lowercased().contains("kcal") })
    else { return false }
    let amounts = group.count { $0.text.withoutBullets.first?.isNumber == true && !PageWords.isNutrient($0.text) }
    guard text.beginsGroup || amounts * 2 >= group.count else { return false }
    for index in (place + 1)..<min(place + 150, lines.count) {
      if let next = parts[index], next != part { return next == .steps }
      // Each group has a list; text between them is about something else.
      guard lines[index].isItem || lines[index].isHeading || lines[index].text.count < 80 else { return false }
    }
    return false
  }

  /// Returns how many headings directly follow that of the ingredients at `place`: tabs, of which the first is shown.
  fileprivate func tabs(at place: Int) -> Int {
    guard parts[place] == .ingredients, lines[place].level != nil else { return 0 }
    return zip(lines, parts).dropFirst(place + 1).prefix(3).prefix { $0.0.level != nil && $0.1 == .steps }.count
  }
}
