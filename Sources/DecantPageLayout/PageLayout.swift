internal import DecantBase
internal import DecantRecipeFormats

/// A recipe as a page is laid out: lists in elements, or under headings, that are named after parts of recipes.
struct PageLayout {
  let title: String?
  private let pageTitle: String?
  /// Possible lists of ingredients, the likeliest first.
  let ingredients: [[PageLine]]
  /// Possible lists of steps, the likeliest first.
  let steps: [[PageLine]]
  /// The lines that give times and the yield.
  let lines: [PageLine]
  /// The part whose heading each line is, if any.
  let parts: [PagePart?]
  /// The values from elements of microformats.
  let values: [PageValue: String]
  /// The number of lines above the ingredients.
  let headCount: Int
  /// The parts that headings or the names of elements announce.
  let announced: Set<PagePart>

  /// Whether further lists of ingredients and of steps follow those of this layout.
  private(set) var isOneOfSeveral = false

  /// Analyses a page; `nil` for one that was too long to be analysed.
  init?(_ tree: PageTree) {
    guard let root = tree.root else { return nil }
    self.init(PageLines(root), tree)
  }

  /// The recipes of a page, separated by its headings; most pages have one.
  static func all(_ tree: PageTree) -> [PageLayout] {
    guard let root = tree.root else { return [] }
    let page = PageLines(root)
    let headings = page.lines.indices.compactMap { index -> RecipeSections.Heading? in
      let (line, part) = (page.lines[index], page.parts[index])
      guard line.level != nil || part != nil else { return nil }
      return RecipeSections.Heading(place: index, level: line.level, part: part, text: line.text)
    }
    let layouts = RecipeSections.ranges(headings, count: page.lines.count).map { section in
      PageLayout(PageLines(page, in: section), tree, title: page.lines[section.lowerBound].text)
    }.filter { $0.holdsRecipe }
    if layouts.count > 1, areOthers(layouts) { return layouts }
    return [first(of: page, headings, tree)]
  }

  /// The layout of a page with one recipe: only its first lists if further ingredients and steps follow.
  private static func first(of page: PageLines, _ headings: [RecipeSections.Heading], _ tree: PageTree) -> PageLayout {
    var starts: [Int] = []
    var isBehindSteps = true
    for heading in headings {
      if heading.part == .steps { isBehindSteps = true }
      guard heading.part == .ingredients, isBehindSteps else { continue }
      starts.append(heading.place)
      isBehindSteps = false
    }
    let whole = PageLayout(page, tree)
    guard starts.count > 1, isBehindSteps else { return whole }
    let ends = starts.dropFirst() + [page.lines.count]
    let layouts = zip(starts, ends).map { PageLayout(PageLines(page, in: $0..<$1), tree) }.filter { $0.holdsRecipe }
    guard layouts.count > 1, areOthers(layouts) else { return whole }
    var layout = PageLayout(PageLines(page, in: 0..<starts[1]), tree)
    guard layout.holdsRecipe else { return whole }
    layout.isOneOfSeveral = true
    return layout
  }

  /// Whether there are ingredients, most of them with amounts, and steps.
  private var holdsRecipe: Bool {
    guard let list = ingredients.first?.filter({ !$0.isGroup }), list.count > 1, !steps.isEmpty else { return false }
    return list.count { $0.digitCount > 0 } * 10 >= list.count * 6
  }

  /// Whether no two recipes share half of their ingredients, as lists for printing or in other units do.
  private static func areOthers(_ layouts: [PageLayout]) -> Bool {
    let lists = layouts.prefix(50).map { layout in Set((layout.ingredients.first ?? []).map { $0.names }) }
    return lists.indices.allSatisfy { one in
      lists[..<one].allSatisfy { $0.intersection(lists[one]).count * 2 < min($0.count, lists[one].count) }
    }
  }

  private init(_ page: PageLines, _ tree: PageTree, title: String? = nil) {
    lines = page.lines
    parts = page.parts
    values = page.values
    let starts = [
      page.parts.firstIndex(of: .ingredients),
      page.regions.filter { $0.part == .ingredients }.map(\.lines.lowerBound).min(),
    ]
    headCount = starts.compactMap { $0 }.min() ?? 0
    announced = Set(page.parts.compactMap { $0 } + page.regions.map(\.part))
    self.title = title ?? page.values[.name] ?? Self.title(tree, page.lines, headCount)
    pageTitle = tree.title
    let lists = Self.lists(.ingredients, page)
    ingredients = lists.map(\.lines)
    let steps = Self.lists(.steps, page, behind: lists.first?.start).map(\.lines)
    self.steps = steps.isEmpty ? ingredients.prefix(1).map { Self.cleaned(Self.behind($0, page), .steps) } : steps
  }

  /// Returns the first heading of the page that its title or shared title begins with or contains, or just the first.
  ///
  /// A heading that links to the front page, or that the page's title ends with, names the site: then the title is a
  /// lower heading above the ingredients, or the page's title without the name of the site.
  private static func title(_ tree: PageTree, _ lines: [PageLine], _ headCount: Int) -> String? {
    let given = [tree.sharedTitle, tree.title].compactMap { $0 }
    // “Recipe for pancakes” is a title, but “Recipe” alone is the heading of a part.
    func isTitle(_ line: PageLine) -> Bool {
      !line.role.contains(.home) && (line.part == nil || line.text.split(separator: " ").count > 2)
    }
    let headings = lines.filter { $0.level == 1 && isTitle($0) }.map(\.text)
    let known = given.map { FoldedText.letters(of: $0) }
    func beginsTitle(_ text: String) -> Bool {
      let letters = FoldedText.letters(of: text)
      return !letters.isEmpty && known.contains { $0.starts(with: letters) }
    }
    func endsTitle(_ text: String) -> Bool {
      let letters = FoldedText.letters(of: text)
      return letters.count > 3
        && known.contains { $0.count > letters.count && $0.reversed().starts(with: letters.reversed()) }
    }
    if headings.isEmpty, lines.contains(where: { $0.level == 1 && $0.role.contains(.home) }) {
      let lower = lines.prefix(headCount).filter { $0.level.map { 2...4 ~= $0 } == true && isTitle($0) }
      let own = lower.last { $0.role.contains(.title) }
      let named = lower.last { beginsTitle($0.text) || endsTitle($0.text) }
      if let line = own ?? named ?? lower.last { return line.text }
    }
    let named = headings.first { heading in
      let letters = FoldedText.letters(of: heading)
      return known.contains { $0.starts(with: letters) || letters.starts(with: $0) }
    }
    if let named { return named }
    let whole = given.first.map { tree.withoutSite($0) }
    // A heading may name the site, or a section of it: “Recipes”.
    let own = headings.first { !tree.isSite($0) && !sections.contains(FoldedText.searched($0)) }
    if let own { return own }
    let lower = lines.prefix(headCount).filter {
      $0.level.map { 2...4 ~= $0 } == true && isTitle($0) && !tree.isSite($0.text)
    }
    .map(\.text).filter {
      beginsTitle($0) && FoldedText.letters(of: $0).count * 3 > FoldedText.letters(of: whole ?? "").count
    }
    return lower.max { $0.count < $1.count } ?? whole ?? headings.first
  }

  /// The names of sections in which sites have their recipes.
  private static let sections = Set(
    [
      "recipes", "recipe", "blog", "food", "rezepte", "recettes", "recetas", "receitas", "ricette", "recepten",
      "przepisy",
    ]
    .map { Array($0.utf8) })

  /// Whether a title is that of the page, of which the page's heading is only the beginning.
  func isPageTitle(_ text: String) -> Bool {
    guard let title, let pageTitle, title.count > 3 else { return false }
    let (letters, heading) = (FoldedText.letters(of: text), FoldedText.letters(of: title))
    let isNamed = [" - ", " | ", " – "].contains(where: text.contains)
    return isNamed && letters == FoldedText.letters(of: pageTitle) && letters.count > heading.count
      && letters.starts(with: heading)
  }

  // MARK: Lists

  /// A possible list of a part.
  private struct List {
    var lines: [PageLine]
    /// The place of its first line in the page.
    var start: Int
  }

  /// Returns the possible lists of a part, the likeliest first; steps are likelier behind the ingredients.
  private static func lists(_ part: PagePart, _ page: PageLines, behind first: Int? = nil) -> [List] {
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
    let weights = lists.map { weight($0.lines, part) }
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
  private static func weight(_ list: [PageLine], _ part: PagePart) -> Int {
    switch part {
    case .ingredients:
      let entries = list.filter { !$0.isGroup }
      let amounts = entries.count { $0.digitCount > 0 && $0.text.count < 200 }
      let short = entries.filter { $0.text.count < 120 }
      // Many links without amounts are rather a menu.
      let links = short.count { $0.isLink && $0.digitCount == 0 }
      let names = short.count - links + min(links, 5)
      return amounts * 3 + names - entries.count { $0.text.count > 250 } * 3
    default: return list.reduce(0) { $0 + ($1.isGroup || $1.text.count < 12 ? 0 : $1.text.count) }
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
  private static func behind(_ list: [PageLine], _ page: PageLines) -> [PageLine] {
    guard let last = list.last?.text,
      let place = page.lines.lastIndex(where: { $0.text == last || $0.text.withoutBullets == last })
    else { return [] }
    var rest = page.lines[(place + 1)...].prefix(100)
    if rest.first?.level != nil, page.parts[place + 1] != .other { rest = rest.dropFirst() }
    let lines = zip(rest, page.parts[rest.startIndex...]).prefix { $0.0.level == nil && $0.1 != .other }.map(\.0)
    return lines.contains { $0.text.utf8.count > 60 } ? lines : []
  }

  /// Returns a list without the other elements that pages put into it.
  private static func cleaned(_ lines: [PageLine], _ part: PagePart) -> [PageLine] {
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
      return lines[..<place].contains { $0.isGroup && FoldedText.letters(of: $0.text) == letters }
    }
    guard lines[place + 1].isItem, lines[place].digitCount == 0 || text.last == ")" else { return false }
    let group = lines[(place + 1)...].prefix(40).prefix { $0.isItem }
    // A list of links, or of facts about the dish, is no group.
    guard group.count(where: \.isLink) * 2 <= group.count,
      !group.contains(where: { PageLayout.isTime($0.text) || $0.text.lowercased().contains("kcal") })
    else { return false }
    let amounts = group.count { $0.text.withoutBullets.first?.isNumber == true && !PageWords.isNutrient($0.text) }
    guard text.beginsGroup && !text.hasSuffix("recipes") || amounts * 2 >= group.count else { return false }
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
  fileprivate var length: Int { reduce(0) { $0 + ($1.isGroup ? 0 : $1.text.utf8.count) } }
}

extension PageLine {
  /// Whether it is what pages show below a recipe; an item of the list is not.
  fileprivate var endsRecipe: Bool { !isItem && PageWords.endsRecipe(text) }

  /// Whether it is the heading of another group of the list under `first`: “Zutaten Sauce” after “Zutaten Teig”.
  fileprivate func isNextGroup(after first: PageLine, of part: PagePart) -> Bool {
    guard level == first.level, self.part == part, text != first.text else { return false }
    func name(_ line: PageLine) -> Substring? { line.text.split(separator: " ").first }
    return [self, first].allSatisfy { !PagePart.isName($0.text, of: part) } && name(self) == name(first)
  }

  /// The letters of an ingredient without its numbers.
  fileprivate var names: [UInt8] { FoldedText.letters(of: text).filter { !(0x30...0x39 ~= $0) } }

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
  fileprivate var isGroupName: Bool {
    guard count <= 40, !contains(where: \.isNumber) else { return false }
    // “For serving: lemon wedges” is an ingredient.
    if let colon = firstIndex(of: ":"), self[colon...].dropFirst().contains(where: \.isLetter) { return false }
    return isLoud || beginsGroup
  }

  /// Whether it is written in capitals.
  fileprivate var isLoud: Bool { count > 3 && contains(where: \.isUppercase) && !contains(where: \.isLowercase) }

  /// Whether it begins like the name of a group of ingredients: “For the sauce”.
  var beginsGroup: Bool { PageWords.groups.contains { hasPrefix($0) } }

  /// Whether it is short and not a sentence.
  fileprivate var isCaption: Bool { utf8.count < 40 && !".!?。！)".contains(last ?? ".") }

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
