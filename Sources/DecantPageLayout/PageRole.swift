internal import DecantBase
internal import DecantRecipeFormats

/// The function of an element in its page, by the names that microformats, microdata and many themes give it.
struct PageRole: OptionSet {
  let rawValue: Int

  /// A heading of some rows: `class="ingredient-heading"`.
  static let heading = PageRole(rawValue: 1)
  /// The title of a post, rather than of the site: `class="entry-title"`, `itemprop="headline"`.
  static let title = PageRole(rawValue: 2)
  /// A link to the front page of the site.
  static let home = PageRole(rawValue: 4)
  /// The end of a post: `class="post-footer"`.
  static let footer = PageRole(rawValue: 8)
  static let hidden = PageRole(rawValue: 16)
  /// A recipe of the microformat hRecipe, or of a plugin, in which classes name the values.
  static let recipe = PageRole(rawValue: 32)

  /// An element that its style puts on lines of its own.
  static let block = PageRole(rawValue: 64)

  /// A person or an organisation in the microformats hCard and h-card.
  static let card = PageRole(rawValue: 128)

  /// What stands beside or below a post: comments, related posts.
  static let beside = PageRole(rawValue: 256)

  /// The caption of a picture.
  static let caption = PageRole(rawValue: 512)

  init(rawValue: Int) { self.rawValue = rawValue }

  /// Reads the attributes of an element, except its classes.
  init(attributes element: MarkupElement) {
    var role: PageRole = []
    for (name, value) in element.attributes {
      switch name {
      case "hidden": role.insert(.hidden)
      case "style":
        guard let display = element.display else { continue }
        if display.hasPrefix("none") { role.insert(.hidden) }
        if display.hasPrefix("block") { role.insert(.block) }
      case "itemprop": if value == "headline" || value == "name" { role.insert(.title) }
      case "id": if Self.besides.contains(value) { role.insert(.beside) }
      case "href": if element.name == "a", Self.isHome(value) { role.insert(.home) }
      default: break
      }
    }
    self = role
  }

  /// Reads the classes of an element.
  init(classes: String) {
    var role: PageRole = []
    let isSmall = !classes.utf8.contains { 0x41...0x5a ~= $0 }
    let classes = isSmall ? classes : classes.lowercased()
    guard Self.signs.contains(where: classes.holds) else {
      self = []
      return
    }
    for name in Self.names(classes).prefix(50).map(String.init) {
      if Self.titles.contains(name) { role.insert(.title) }
      if Self.besides.contains(name) { role.insert(.beside) }
      if Self.recipes.contains(name) { role.insert(.recipe) }
      if name == "vcard" || name == "h-card" { role.insert(.card) }
      guard name.holds("head") || name.holds("footer") else { continue }
      let words = name.utf8.split { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }.map { String(Substring($0)) }
      if words.contains(where: { Self.headings.contains($0) }) { role.insert(.heading) }
      if words.last == "footer", words.count == 1 || words.count == 2 && Self.posts.contains(words[0]) {
        role.insert(.footer)
      }
    }
    self = role
  }

  /// Each name that counts contains one of these.
  private static let signs = [
    "title", "name", "head", "foot", "recipe", "card", "comment", "respond", "author", "navigation", "related",
    "cookie",
    "share", "breadcrumb",
  ]
  private static let recipes: Set = [
    "hrecipe", "h-recipe", "wprm-recipe-container", "wprm-recipe", "tasty-recipes", "mv-create-card",
  ]
  private static let titles: Set = ["entry-title", "post-title", "p-name", "recipe-title"]
  private static let headings: Set = ["heading", "subheading", "subheader", "subhead"]
  /// The names of what stands beside or below a post.
  private static let besides = Set(
    PageWords.list(
      "comments,comment-list,commentlist,comments-area,comment-respond,comments-section,respond,author-box,author-bio,"
        + "about-author,post-author-box,post-navigation,posts-navigation,navigation,related-posts,relatedposts,jp-relatedposts,"
        + "yarpp-related,related-articles,cookie-notice,cookie-banner,cookie-consent,cookie-law-info-bar,sharedaddy,"
        + "social-share,share-buttons,breadcrumbs,breadcrumb"
    ))
  private static let posts: Set = ["post", "entry", "article", "site", "page", "blog", "comment", "comments"]

  /// Whether an address is that of a site as a whole.
  private static func isHome(_ link: String) -> Bool {
    let link = link.trimmed
    guard link.hasPrefix("http") else { return link == "/" || link == "./" }
    // Most links lead to pages within a site, which the number of slashes reveals quickly.
    return link.utf8.count { $0 == 0x2f } <= 3 && PageAddress.isSite(link)
  }

  private static func names(_ classes: String) -> [Substring] {
    classes.utf8.split { $0 <= 0x20 }.map { Substring($0) }
  }

  /// Whether an element is a recipe of hRecipe or h-recipe.
  static func isMicroformat(_ classes: String) -> Bool {
    names(classes.lowercased()).contains { $0 == "hrecipe" || $0 == "h-recipe" }
  }

  /// Returns the value for which hRecipe and h-recipe have a class.
  ///
  /// - Parameters:
  ///   - classes: The classes of an element.
  ///   - isMicroformat: Whether it is in a recipe of these, where also the author need not be a card.
  /// - Returns: The value; `nil` for none.
  static func value(_ classes: String, isMicroformat: Bool = false) -> PageValue? {
    for name in names(classes) {
      if name == "author", isMicroformat || classes.holds("vcard") || classes.holds("h-card") { return .author }
      if let value = values[String(name)] { return value }
    }
    return nil
  }

  private static let values: [String: PageValue] = [
    "yield": .yield, "p-yield": .yield, "preptime": .time(.prep), "cooktime": .time(.cook), "totaltime": .time(.total),
    "duration": .time(.total), "dt-duration": .time(.total), "fn": .name, "p-name": .name, "p-author": .author,
    "summary": .summary, "p-summary": .summary, "wprm-recipe-servings-with-unit": .yield,
    "wprm-recipe-servings": .yield,
    "wprm-recipe-notes": .notes, "tasty-recipes-notes-body": .notes, "wprm-recipe-name": .card,
    "tasty-recipes-title": .card, "mv-create-notes-content": .notes, "mv-create-title": .card,
  ]
}

/// A value that an element gives.
enum PageValue: Hashable {
  case name, author, summary, notes, yield
  /// The title of a plugin's card.
  case card
  case time(PageLayout.Time)

  /// The maximum length, in bytes.
  var length: Int {
    switch self {
    case .summary: 2_000
    case .notes: 20_000
    case .name, .author, .card: 200
    case .yield, .time: 60
    }
  }
}
