internal import DecantXML
internal import DecantBase
internal import DecantRecipeFormats

/// An element of a page, reduced to what a reader sees.
final class PageNode {
  enum Part {
    case text(String)
    case element(PageNode)
  }

  let name: String
  /// The classes as one text, which is equal for similar elements.
  let classes: String
  /// The part of a recipe that the element is named after.
  let part: PagePart?
  /// The function of the element in the page, by its classes and other attributes.
  let role: PageRole
  /// The value for programs that a microformat's element `value-title` gives: `PT3H`.
  private let ownValue: String?
  fileprivate(set) var parts: [Part] = []

  fileprivate init(_ element: MarkupElement, _ part: PagePart?, _ role: PageRole) {
    name = element.name
    classes = String((element.attributes["class"] ?? "").prefix(PagePartNames.length))
    (self.part, self.role) = (part, role)
    ownValue = classes == "value-title" ? element.attributes["title"] : nil
  }

  fileprivate init(root: String) { (name, classes, part, role, ownValue) = (root, "", nil, [], nil) }

  /// The level of a heading.
  var level: Int? {
    guard name.utf8.count == 2, name.utf8.first == UInt8(ascii: "h"), let digit = name.utf8.last else { return nil }
    return 0x31...0x36 ~= digit ? Int(digit) - 0x30 : nil
  }

  var children: [PageNode] {
    parts.compactMap { if case .element(let node) = $0 { node } else { nil } }
  }

  /// Whether it begins and ends lines.
  var isBlock: Bool { HTMLNesting.blocks.contains(name) }

  /// Whether it contains blocks.
  private(set) lazy var holdsBlocks: Bool = children.contains { $0.isBlock || $0.holdsBlocks }

  /// The name and the classes, which are equal for similar elements.
  private(set) lazy var kind: String = name + "." + classes

  /// The same for elements that belong to one list, without classes that only one of them has: `first`, `step-2`.
  private(set) lazy var listKind: String = {
    let names = classes.split(separator: " ")
    let kept = names.filter { !Self.isState($0, beside: names) }
    let plain = kept.map { name in
      let digits = name.reversed().prefix { $0.isNumber }.count
      return digits > 0 && digits < 4 ? String(name.dropLast(digits)) : String(name)
    }
    return name + "." + (plain.isEmpty ? classes : plain.joined(separator: " "))
  }()

  private static let states = ["first", "last", "odd", "even", "active", "selected", "current", "checked", "open"]

  /// Whether a class names the state or the place of an element among others: `active`, or `step--last` beside `step`.
  private static func isState(_ name: Substring, beside names: [Substring]) -> Bool {
    if let dashes = name.firstRange(of: "--") { return names.contains(name[..<dashes.lowerBound]) }
    return name.hasPrefix("is-") || states.contains { name == $0 || name == $0 + "-child" || name == $0 + "-item" }
  }

  /// Whether it contains a line break.
  private(set) lazy var holdsBreaks: Bool = children.contains { $0.name == "br" || $0.holdsBreaks }

  /// Whether it contains a heading, or more than one block of a kind.
  private(set) lazy var holdsLines: Bool = {
    var kinds: Set<String> = []
    return children.contains { child in
      if child.level != nil, name != "li" { return true }
      if child.name == "li" || child.name == "tr" { return true }
      if child.isBlock, !kinds.insert(child.kind).inserted, name != "li" || child.name != "p" { return true }
      return child.holdsLines
    }
  }()

  /// Whether it contains the title of the page.
  private(set) lazy var holdsTitle: Bool = children.contains { $0.level == 1 || $0.holdsTitle }

  /// Whether it contains an element that is named after a part of a recipe.
  private(set) lazy var holdsParts: Bool = children.contains { $0.part != nil || $0.holdsParts }

  /// The cells of a row.
  var cells: [PageNode] { children.filter { $0.name == "td" || $0.name == "th" } }

  /// Whether it is used as a heading without being `h1` to `h6`: a single cell above other rows, a `dt` above several
  /// `dd`, an item of a list with nothing but a heading, a `summary` or a `legend`.
  func isHeading(in parent: PageNode) -> Bool {
    // A real heading begins a section of its own, whatever its classes.
    if level != nil { return false }
    if role.contains(.heading) { return true }
    switch name {
    case "summary", "legend": return true
    case "li": return holdsBlocks && children.count == 1 && children[0].level != nil && children[0].length + 4 >= length
    case "dt": return parent.children.count { $0.name == "dd" } > parent.children.count { $0.name == "dt" }
    case "tr":
      let cells = cells
      guard cells.count == 1 else { return false }
      return cells[0].name == "th" || parent.children.contains { $0.name == "tr" && $0.cells.count > 1 }
    default: return false
    }
  }

  /// Whether it is the label of a checkbox.
  var isChoice: Bool { name == "label" && children.contains { $0.name == "input" } }

  /// Whether it is hidden while siblings of its kind are visible.
  ///
  /// A script may show a list that is hidden entirely.
  func isHidden(in parent: PageNode) -> Bool {
    guard role.contains(.hidden), ["li", "tr", "dd", "dt"].contains(name) else { return false }
    return parent.children.contains { $0.name == name && !$0.role.contains(.hidden) }
  }

  /// All text in it, with white space collapsed.
  var text: String { pieces.split(whereSeparator: \.isWhitespace).joined(separator: " ") }

  private var pieces: String {
    if name == "br" { return " " }
    return parts.map { part in
      switch part {
      case .text(let text): text
      case .element(let node): node.pieces
      }
    }.joined()
  }

  /// All text in it, with its blocks and what `br` separates on lines of their own.
  var paragraphs: String {
    var lines = [""]
    addLines(to: &lines)
    return lines.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }.filter { !$0.isEmpty }
      .joined(separator: "\n")
  }

  private func addLines(to lines: inout [String]) {
    if isBlock || name == "br" { lines.append("") }
    for part in parts {
      switch part {
      case .text(let text): lines[lines.count - 1] += text
      case .element(let node): node.addLines(to: &lines)
      }
    }
    if isBlock { lines.append("") }
  }

  /// The value for programs that it or an element in it gives.
  var valueTitle: String? {
    if let ownValue { return ownValue }
    for child in children { if let value = child.valueTitle { return value } }
    return nil
  }

  /// The function of its first descendant that contains all of its text.
  var firstRole: PageRole {
    guard children.count == 1, let child = children.first, child.length + 4 >= length else { return [] }
    return child.role.union(child.firstRole)
  }

  /// The first descendant whose class marks it as a name.
  var named: PageNode? {
    for child in children {
      if PageRole.value(child.classes) == .name { return child }
      if let named = child.named { return named }
    }
    return nil
  }

  /// The text of the first element in it of the class `title`, as Google Docs writes it.
  var titled: String? {
    for child in children {
      if child.length <= 400, child.classes.split(separator: " ").contains("title") {
        let text = child.text.trimmed
        if text.utf8.count <= 200, text.contains(where: \.isLetter) { return text }
      }
      if let title = child.titled { return title }
    }
    return nil
  }

  /// The first text in it that is not just white space.
  var firstText: String? {
    for part in parts {
      switch part {
      case .text(let text):
        let text = text.trimmed
        if !text.isEmpty { return text }
      case .element(let node): if let text = node.firstText { return text }
      }
    }
    return nil
  }

  /// The length of the text in it, in bytes.
  private(set) lazy var length: Int = parts.reduce(0) { sum, part in
    switch part {
    case .text(let text): sum + text.utf8.count
    case .element(let node): sum + node.length
    }
  }
}

/// The text of a page with its elements, collected while the page is read; empty for a page that is too long.
final class PageTree {
  private(set) var root: PageNode?
  private(set) var title: String?
  /// The title for sharing the page: `og:title`.
  private(set) var sharedTitle: String?
  /// The name of the site: `og:site_name`.
  private var siteName: String?
  /// The name of the host in the page's own address, without `www.`.
  private var host: String?
  private var open: [PageNode] = []
  private var titleText: [UInt8]?
  /// The number of open elements within one that is skipped, including that one.
  private var skippedDepth = 0
  private var names = PagePartNames()
  private var byteCount = 0
  private var nodeCount = 0

  /// The maximum size of a page whose layout is analysed.
  private static let byteLimit = 8 << 20
  private static let nodeLimit = 200_000

  /// Elements whose text is not part of the page.
  private static let skipped: Set<String> = [
    "script", "style", "svg", "noscript", "template", "select", "textarea", "iframe", "nav", "footer", "object",
    "video",
    "audio", "canvas", "datalist",
  ]

  init() {
    let root = PageNode(root: "html")
    self.root = root
    open = [root]
  }

  func start(_ element: MarkupElement) {
    guard root != nil else { return }
    if element.name == "title", title == nil, skippedDepth == 0 { titleText = [] }
    if element.name == "meta" {
      switch element.attributes["property"] {
      case "og:title": sharedTitle = element.attributes["content"]?.trimmed
      case "og:site_name": siteName = element.attributes["content"]?.trimmed
      default: break
      }
    }
    if host == nil, let address = element.ownAddress, let start = address.firstRange(of: "://") {
      let name = address[start.upperBound...].prefix { $0 != "/" && $0 != ":" }
      host = String(name.hasPrefix("www.") ? name.dropFirst(4) : name)
    }
    guard skippedDepth == 0, !Self.skipped.contains(element.name), !names.isUnseen(element) else {
      skippedDepth += 1
      return
    }
    nodeCount += 1
    byteCount += 64 + (element.attributes["class"]?.utf8.count ?? 0)
    guard nodeCount <= Self.nodeLimit, byteCount <= Self.byteLimit else { return drop() }
    let node = PageNode(element, names.part(of: element), names.role(of: element))
    open[open.count - 1].parts.append(.element(node))
    open.append(node)
  }

  func text(_ bytes: [UInt8]) {
    titleText?.append(contentsOf: bytes)
    guard root != nil, skippedDepth == 0, titleText == nil else { return }
    byteCount += bytes.count
    guard byteCount <= Self.byteLimit else { return drop() }
    open[open.count - 1].parts.append(.text(String(decoding: bytes, as: UTF8.self)))
  }

  func end() {
    guard root != nil else { return }
    if let bytes = titleText {
      title = String(decoding: bytes, as: UTF8.self).trimmed
      titleText = nil
    }
    if skippedDepth > 0 {
      skippedDepth -= 1
    } else if open.count > 1 {
      open.removeLast()
    }
  }

  /// Returns whether a text is the name of the site.
  func isSite(_ text: String) -> Bool {
    let letters = FoldedText.letters(of: text)
    guard letters.count > 3 else { return false }
    if let siteName, FoldedText.letters(of: siteName) == letters { return true }
    return host.map { FoldedText.letters(of: $0).starts(with: letters) } == true
  }

  /// What stands between the title of a page and the name of its site.
  static let separators = [" | ", " – ", " — ", " » ", " · ", " - "]

  /// Returns a title without the name of the site behind or before it: “Pancakes | Nora cooks”.
  func withoutSite(_ title: String) -> String {
    for separator in Self.separators {
      let ends = title.ranges(of: separator)
      if let end = ends.last, isSite(String(title[end.upperBound...])) { return title[..<end.lowerBound].trimmed }
      if let end = ends.first, isSite(String(title[..<end.lowerBound])) { return title[end.upperBound...].trimmed }
    }
    return title
  }

  private func drop() { (root, open, skippedDepth) = (nil, [], 0) }
}
