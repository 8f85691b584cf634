internal import DecantBase
internal import DecantRecipeFormats

extension PageLayout {
  /// Returns the first heading of the page that its title or shared title begins with or contains, or just the first.
  ///
  /// A heading that links to the front page or has the name of the site, or of a section, is none: then the title is a
  /// lower heading above the ingredients, or the page's title without the name of the site.
  static func title(_ tree: PageTree, _ lines: [PageLine], _ headCount: Int) -> String? {
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
    let own = headings.first { !tree.isSite($0) && !sections.contains(FoldedText.searchedText($0)) }
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
    PageWords.list("recipes,recipe,blog,food,rezepte,recettes,recetas,receitas,ricette,recepten,przepisy"))

  /// Whether a title is that of the page, of which the page's heading is only the beginning.
  func isPageTitle(_ text: String) -> Bool {
    guard let title, let pageTitle, title.count > 3 else { return false }
    let (letters, heading) = (FoldedText.letters(of: text), FoldedText.letters(of: title))
    let isNamed = PageTree.separators.contains(where: text.contains)
    return isNamed && letters == FoldedText.letters(of: pageTitle) && letters.count > heading.count
      && letters.starts(with: heading)
  }
}
