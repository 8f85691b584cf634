internal import DecantBase
internal import DecantRecipeFormats

/// The only recipe of a page, combined from its structured data and its layout.
///
/// The structured data take precedence; the lines that the page shows supply missing or more detailed parts.
struct PageRecipe {
  private(set) var recipe: Recipe
  /// Whether it has more than the structured data it was created from.
  private(set) var isChanged = false
  /// The names of the fields taken from the layout.
  private(set) var fromLayout: [String] = []

  init(_ recipe: Recipe) {
    self.recipe = recipe
    self.recipe.images = []
    self.recipe.extra = []
    mendLines()
  }

  /// Removes lines that are only the name of a list or the number of a step.
  private mutating func mendLines() {
    // Some pages include the headings in the lists, or advertisements.
    let ingredients = recipe.ingredients.filter {
      !PagePart.isName($0.text, of: .ingredients) && !PageWords.isAdvertisement($0.text)
    }
    if ingredients.count < recipe.ingredients.count {
      recipe.ingredients = ingredients
      isChanged = true
    }
    if recipe.steps.allSatisfy({ PagePart.isName($0.text, of: .steps) }), !recipe.steps.isEmpty {
      recipe.steps = []
      isChanged = true
    }
    if recipe.steps.contains(where: { PageWords.isAdvertisement($0.text) }) {
      recipe.steps.removeAll { PageWords.isAdvertisement($0.text) }
      isChanged = true
    }
    // Bare numbers are step numbers if they count the steps.
    let numbers = recipe.steps.filter { !$0.isHeading }.map(\.text).filter(\.isStepNumber).compactMap {
      Int($0.filter(\.isNumber))
    }
    let areCounted = numbers == Array(1..<(numbers.count + 1))
    let steps = recipe.steps.flatMap { step -> [RecipeStep] in
      guard !step.isHeading, recipe.steps.count > 1 else { return step.isHeading ? [step] : NumberedSteps.split(step) }
      if step.text.isStepNumber, areCounted { return [] }
      let isHeading = PagePart(heading: step.text, isHeading: false) == .steps
      return isHeading ? [RecipeStep(step.text.withoutColon, isHeading: true)] : NumberedSteps.split(step)
    }
    let numbered = Self.numberedAcrossLines(recipe.steps)
    let found = numbered.count > steps.count ? numbered : steps
    if found.map(\.text) != recipe.steps.map(\.text), !found.isEmpty {
      recipe.steps = found
      isChanged = true
    }
  }

  /// Returns the steps of a numbered text of several lines, of which some begin within a step.
  private static func numberedAcrossLines(_ lines: [RecipeStep]) -> [RecipeStep] {
    guard lines.count > 1, lines.count <= 100, lines[0].text.first == "1",
      !lines.contains(where: { $0.isHeading || $0.title != nil })
    else {
      return []
    }
    let steps = NumberedSteps.split(lines.map(\.text).joined(separator: "\n"))
    return steps.map { RecipeStep($0.split(whereSeparator: \.isNewline).joined(separator: " ")) }
  }

  /// Takes the lines from another version of the same recipe, if this one has none.
  mutating func take(_ other: Recipe) {
    if recipe.ingredients.isEmpty, !other.ingredients.isEmpty {
      recipe.ingredients = other.ingredients
      isChanged = true
      mendLines()
    }
    if recipe.steps.isEmpty, !other.steps.isEmpty {
      recipe.steps = other.steps
      isChanged = true
      mendLines()
    }
    if recipe.title.isEmpty { recipe.title = other.title }
  }

  /// Takes everything from the layout that improves the recipe; `isAlone` if the page has no structured data.
  mutating func complete(_ layout: PageLayout, isAlone: Bool = false) {
    if takeHeadings(of: layout) { note("headings") }
    let (ingredients, steps) = (recipe.ingredients, recipe.steps)
    if let list = layout.ingredients.lazy.compactMap({ LayoutIngredients(ingredients, $0, without: steps).better })
      .first
    {
      recipe.ingredients = list
      note("ingredients")
    }
    // A page that shows just the given steps has nothing to add except headings.
    let areAnnounced = layout.announced.contains(.steps)
    let areCertain = isAlone && layout.announced.isSuperset(of: [.ingredients, .steps]) && haveAmounts(tenths: 6)
    // Below a heading of steps, the ingredients may be shown once more, without their numbers.
    let texts = recipe.ingredients.map { FoldedText.letters(of: $0.text) }
    let lists =
      areCertain
      ? (layout.steps + layout.shortSteps).filter { list in
        !list.map { FoldedText.letters(of: $0.text) }.allSatisfy { line in
          texts.contains { $0.suffix(line.count).elementsEqual(line) }
        }
      } : layout.steps
    let shown = lists.lazy.map { LayoutSteps(steps, $0, areAnnounced: areAnnounced, areCertain: areCertain) }
    let isShown = shown.contains(where: \.isSame)
    if let list = shown.filter({ !isShown || $0.isSame }).compactMap(\.better).first {
      let steps = Self.steps(list, without: recipe.ingredients)
      if !steps.isEmpty || list.contains(where: \.isSentence) {
        recipe.steps = steps.isEmpty ? list : steps
        note("steps")
      }
    }
    if recipe.title.isEmpty || layout.isPageTitle(recipe.title), let title = layout.title {
      recipe.title = title
      note("title")
    }
    if recipe.author == nil, let text = layout.values[.author] {
      recipe.author = text
      note("author")
    }
    if recipe.summary == nil, let text = layout.values[.summary] {
      recipe.summary = text
      note("summary")
    }
    if recipe.yield == nil, let text = layout.yield {
      recipe.yield = text
      note("yield")
    }
    // The first card of a page may be that of another recipe.
    let card = layout.values[.card].map { FoldedText.letters(of: $0) }
    if recipe.notes == nil, isAlone || card == nil || card == FoldedText.letters(of: recipe.title),
      let text = layout.values[.notes]
    {
      recipe.notes = text
      note("notes")
    }
    completeTimes(layout)
  }

  /// Turns lines that are headings on the page into headings; returns whether there were any.
  private mutating func takeHeadings(of layout: PageLayout) -> Bool {
    let known = Set(
      layout.lines.filter { $0.level != nil || $0.isBold && !$0.isItem }.map { FoldedText.letters(of: $0.text) })
    func isHeading(_ text: String) -> Bool {
      text.utf8.count <= 60 && !".!?".contains(text.last ?? ".") && !text.contains(where: \.isNumber)
        && known.contains(FoldedText.letters(of: text))
    }
    let isList = recipe.ingredients.count { isHeading($0.text) } * 2 < recipe.ingredients.count
    let count = recipe.ingredients.count(where: \.isHeading) + recipe.steps.count(where: \.isHeading)
    for index in recipe.ingredients.indices.dropLast() where isList && isHeading(recipe.ingredients[index].text) {
      recipe.ingredients[index] = RecipeIngredient(recipe.ingredients[index].text.withoutColon, isHeading: true)
    }
    for index in recipe.steps.indices.dropLast() where isHeading(recipe.steps[index].text) {
      recipe.steps[index] = RecipeStep(recipe.steps[index].text.withoutColon, isHeading: true)
    }
    return recipe.ingredients.count(where: \.isHeading) + recipe.steps.count(where: \.isHeading) > count
  }

  /// Takes times, unless they repeat a given one under another name.
  private mutating func completeTimes(_ layout: PageLayout) {
    let given = [recipe.prepTime, recipe.cookTime, recipe.totalTime].compactMap { $0?.minutes }
    let total = recipe.totalTime?.minutes ?? .infinity
    func time(_ time: PageLayout.Time) -> RecipeTime? {
      layout.time(time).flatMap { found in
        found.minutes.map { minutes in
          minutes <= total && (recipe.totalTime?.minutes == minutes || !given.contains(minutes))
        } == true ? found : nil
      }
    }
    if recipe.prepTime == nil, let prep = time(.prep) {
      recipe.prepTime = prep
      note("prepTime")
    }
    if recipe.cookTime == nil, let cook = time(.cook) {
      recipe.cookTime = cook
      note("cookTime")
    }
    // If times of parts are given, a total that does not fit them is another time.
    if given.isEmpty, let time = layout.time(.total) ?? loneTime(layout) {
      recipe.totalTime = time
      note("totalTime")
    }
  }

  /// Returns a time without a label, if there is no other.
  private func loneTime(_ layout: PageLayout) -> RecipeTime? {
    recipe.prepTime == nil && recipe.cookTime == nil ? layout.loneTime : nil
  }

  private mutating func note(_ name: String) {
    isChanged = true
    fromLayout.append(name)
  }

  /// Reads the recipe of a page without structured data; `nil` unless it has a title and ingredients, and either steps
  /// or several ingredients with amounts under a heading that announces them.
  ///
  /// - Parameters:
  ///   - layout: The page.
  ///   - title: The title if the page has none.
  init?(_ layout: PageLayout, title: String = "") {
    self.init(Recipe())
    complete(layout, isAlone: true)
    if recipe.title.isEmpty { recipe.title = title }
    let count = recipe.ingredients.count { !$0.isHeading }
    guard !recipe.title.isEmpty, count > 1 else { return nil }
    // Amounts may be on lines of their own.
    guard !recipe.steps.isEmpty || count > 4 && layout.announced.contains(.ingredients) && haveAmounts(tenths: 4) else {
      return nil
    }
  }

  /// Returns the steps without the ingredients that some pages repeat between them.
  ///
  /// A heading goes with all lines below it. The last heading is one of ingredients as well if it begins with some and
  /// all steps stand below it.
  private static func steps(_ list: [RecipeStep], without ingredients: [RecipeIngredient]) -> [RecipeStep] {
    let texts = Set(ingredients.filter { !$0.isHeading }.map { FoldedText.letters(of: $0.text) })
    let isStep = list.map { !$0.isHeading && !texts.contains(FoldedText.letters(of: $0.text)) }
    let firstStep = isStep.firstIndex(of: true) ?? list.count
    return list.indices.filter { index in
      guard list[index].isHeading else { return isStep[index] }
      let end = list[(index + 1)...].firstIndex(where: \.isHeading) ?? list.count
      let below = isStep[(index + 1)..<end]
      let isOfIngredients = below.first == false && end == list.count && index < firstStep
      return below.isEmpty || below.contains(true) && !isOfIngredients
    }.map { list[$0] }
  }

  /// Whether so many tenths of the ingredients have amounts.
  private func haveAmounts(tenths: Int) -> Bool {
    let lines = recipe.ingredients.filter { !$0.isHeading }
    return lines.count { $0.text.contains(where: \.isNumber) } * 10 >= lines.count * tenths
  }

  /// The certainty that a page without structured data contains this recipe.
  enum Confidence: String { case high, medium, low }

  /// Returns `high` if headings announce both lists and most ingredients have amounts, `medium` for one of the two.
  func confidence(_ layout: PageLayout) -> Confidence {
    if recipe.steps.isEmpty { return .low }
    if layout.isOneOfSeveral { return .low }
    let isAnnounced = layout.announced.isSuperset(of: [.ingredients, .steps])
    let hasAmounts = haveAmounts(tenths: 6)
    return isAnnounced && hasAmounts ? .high : isAnnounced || hasAmounts ? .medium : .low
  }
}

extension RecipeStep {
  /// Whether it is a sentence, rather than a line of a list of ingredients.
  var isSentence: Bool { text.count > 30 && ".!?。！？".contains(text.last ?? " ") }
}

extension String {
  var withoutColon: String {
    last == ":" || last == "：" ? dropLast().trimmed : self
  }
}
