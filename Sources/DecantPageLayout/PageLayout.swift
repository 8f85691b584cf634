internal import DecantBase
internal import DecantRecipeFormats

/// A recipe as a page is laid out: lists in elements, or under headings, that are named after parts of recipes.
struct PageLayout {
  let title: String?
  let pageTitle: String?
  /// Possible lists of ingredients, the likeliest first.
  let ingredients: [[PageLine]]
  /// Possible lists of steps, the likeliest first.
  let steps: [[PageLine]]
  /// The possible lists of steps if all steps are as short as “Mix.”, the likeliest first.
  let shortSteps: [[PageLine]]
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
    self.title = title ?? page.values[.name] ?? Self.title(tree, page.lines, headCount) ?? tree.root?.titled
    pageTitle = tree.title
    let lists = Self.lists(.ingredients, page)
    ingredients = lists.map(\.lines)
    let steps = Self.lists(.steps, page, behind: lists.first?.start).map(\.lines)
    self.steps = steps.isEmpty ? ingredients.prefix(1).map { Self.cleaned(Self.behind($0, page), .steps) } : steps
    let hasSteps = self.steps.contains { !$0.isEmpty }
    shortSteps = hasSteps ? [] : Self.lists(.steps, page, behind: lists.first?.start, areShort: true).map(\.lines)
  }
}
