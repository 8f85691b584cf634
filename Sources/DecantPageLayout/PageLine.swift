internal import DecantBase
internal import DecantRecipeFormats

/// A line of a page according to its layout: a heading, an item of a list, or text.
struct PageLine {
  enum Kind: Hashable {
    case heading(Int)
    /// An element of a list, a row of a table, or one of several similar elements.
    case item
    case text
  }

  var text: String
  var kind: Kind
  /// Whether all of it is bold, or it is in the position of a heading.
  var isBold = false
  /// Whether all of it is a link.
  var isLink = false
  /// Its further function in the page.
  var role: PageRole = []

  var isItem: Bool { kind == .item }
  var level: Int? { if case .heading(let level) = kind { level } else { nil } }
  /// Whether it looks like a heading, marked as one or not.
  var isHeading: Bool { level != nil || (isBold && text.count <= 80) }

  /// The part of a recipe whose heading it is.
  var part: PagePart? { PagePart(heading: text, isHeading: isHeading) }

  var digitCount: Int { text.unicodeScalars.count { $0.properties.numericType != nil } }
}

/// The lines in an element that is named after a part of a recipe.
struct PageRegion {
  let part: PagePart
  let lines: Range<Int>
  /// The name and the classes of the element, which are equal for similar regions.
  let kind: String
}

/// The lines of a page in order, and the regions in it.
struct PageLines {
  private(set) var lines: [PageLine] = []
  private(set) var regions: [PageRegion] = []
  /// The part whose heading each line is, if any.
  private(set) var parts: [PagePart?] = []
  /// The values from elements of microformats.
  private(set) var values: [PageValue: String] = [:]
  private var text = ""
  private var inline = InlineText()
  /// The amount of text in the page so far.
  private var length = 0
  private var boldCount = 0
  private var isInBold = false
  private var linkCount = 0
  private var isInLink = false
  private var isInCaption = false
  /// The kinds of elements of which several in one element were items, as they are in the parts of a recipe.
  private var itemKinds: Set<String> = []
  /// Lines of elements that are alone in theirs; they are items if others of their kind are.
  private var lone: [(line: Int, kind: String)] = []

  /// The maximum number of lines in a region, and of regions in a page.
  private static let regionLength = 500
  private static let regionCount = 2_000

  /// The longest text of an item.
  private static let itemLength = 4_000

  init(_ root: PageNode) {
    length = root.length
    walk(root)
    end()
    for (index, kind) in lone where itemKinds.contains(kind) { lines[index].kind = .item }
    markHeadings()
    parts = lines.map(\.part)
  }

  /// The lines of a section of a page.
  init(_ page: PageLines, in section: Range<Int>) {
    lines = Array(page.lines[section])
    parts = Array(page.parts[section])
    regions = page.regions.filter { section.contains($0.lines.lowerBound) && $0.lines.upperBound <= section.upperBound }
      .map {
        let lines = ($0.lines.lowerBound - section.lowerBound)..<($0.lines.upperBound - section.lowerBound)
        return PageRegion(part: $0.part, lines: lines, kind: $0.kind)
      }
  }

  /// Turns short text between the items of lists into headings, and text above the first items if there is such text
  /// between the others.
  private mutating func markHeadings() {
    func isShort(_ line: PageLine) -> Bool { line.kind == .text && line.text.count <= 40 && line.digitCount == 0 }
    for index in lines.indices.dropFirst().dropLast().reversed() where isShort(lines[index]) && lines[index + 1].isItem
    {
      if lines[index - 1].isItem {
        lines[index].isBold = true
      } else if lines[index - 1].part == .ingredients {
        let rest = lines[(index + 1)...].drop { $0.isItem }
        if let next = rest.first, next.kind == .text, next.isBold, rest.dropFirst().first?.isItem == true {
          lines[index].isBold = true
        }
      }
    }
  }

  private mutating func walk(_ node: PageNode) {
    let start = lines.count
    let wasCaption = isInCaption
    if node.name == "figcaption" {
      end()
      isInCaption = true
    }
    defer {
      if isInCaption, !wasCaption { end() }
      isInCaption = wasCaption
    }
    if node.part != nil { end() }
    let wasLink = isInLink
    if node.name == "a" { isInLink = true }
    add(node)
    isInLink = wasLink
    guard let part = node.part else { return }
    end()
    if lines.count > start {
      note(part, start..<lines.count, node)
    }
  }

  private mutating func add(_ node: PageNode) {
    if let level = node.level {
      end()
      let start = lines.count
      addText(of: node)
      end(.heading(level))
      if lines.count > start { lines[start].role = node.role.union(node.firstRole) }
      return
    }
    if node.name == "br" { return end() }
    let children = node.children
    // Similar elements are counted among the children.
    var counts: [String: Int] = [:]
    for child in children where child.name != "br" { counts[child.kind, default: 0] += 1 }
    for part in node.parts {
      switch part {
      case .text(let piece): append(piece)
      case .element(let child):
        let isPart = child.part != nil || node.part != nil
        let alike = (counts[child.kind] ?? 0) + (isPart && itemKinds.contains(child.kind) ? 1 : 0)
        if child.isHidden(in: node) || isFooter(child) { continue }
        if child.role.contains(.recipe), values.isEmpty {
          takeValues(of: child, isMicroformat: PageRole.isMicroformat(child.classes))
        }
        if child.name == "button" {
          // Of the buttons, only headings that open and close a section belong to the recipe.
          if PagePart(heading: child.firstText ?? "", isHeading: true) != nil { inline(child) }
        } else if isItem(child, alike: alike, in: node) {
          end()
          if isPart, !child.classes.isEmpty { itemKinds.insert(child.kind) }
          if child.part != nil {
            let start = lines.count
            addText(of: child)
            end(.item, isHeading: child.isHeading(in: node))
            if lines.count > start, let part = child.part {
              note(part, start..<lines.count, child)
            }
          } else {
            addText(of: child)
            end(.item, isHeading: child.isHeading(in: node))
          }
        } else if child.isHeading(in: node), !child.holdsLines, child.length <= 200 {
          end()
          addText(of: child)
          end(.text, isHeading: true)
        } else if child.isBlock || child.role.contains(.block) || child.holdsBlocks
          || child.part != nil && child.name != "span" && child.name != "a"
        {
          end()
          let start = lines.count
          walk(child)
          end()
          if alike == 1, isPart, !child.classes.isEmpty, lines.count == start + 1, lines[start].kind == .text,
            isItem(child, alike: 2, in: node)
          {
            lone.append((start, child.kind))
          }
        } else {
          inline(child)
        }
      }
    }
  }

  /// Reads the values of a microformat by the names of classes; those in the card of a person describe the person.
  private mutating func takeValues(of node: PageNode, isMicroformat: Bool) {
    for child in node.children {
      if let value = PageRole.value(child.classes, isMicroformat: isMicroformat), values[value] == nil {
        let node = value == .author ? child.named ?? child : child
        var text = child.valueTitle ?? (value == .notes ? node.paragraphs : node.text)
        if value == .author { text = text.replacing(/^(?:by|author|von|par)(?:\s*:\s*|\s+)/.ignoresCase(), with: "") }
        if !text.isEmpty, text.utf8.count <= value.length { values[value] = text }
      }
      if !child.role.contains(.card) { takeValues(of: child, isMicroformat: isMicroformat) }
    }
  }

  /// Whether an element is the footer of a post or stands beside it, and contains no part of the recipe.
  private func isFooter(_ node: PageNode) -> Bool {
    guard node.part == nil, !node.holdsParts else { return false }
    if node.role.contains(.footer), node.length * 5 < length { return true }
    // The classes of a page's body or of an article describe all of it.
    return node.role.contains(.beside) && !["body", "main", "article", "form"].contains(node.name) && !node.holdsTitle
      && node.length * 10 < length * 9
  }

  /// Adds a region, unless it or their number exceeds the limits for the page of a recipe.
  private mutating func note(_ part: PagePart, _ lines: Range<Int>, _ node: PageNode) {
    guard lines.count <= Self.regionLength, regions.count < Self.regionCount else { return }
    regions.append(PageRegion(part: part, lines: lines, kind: node.listKind))
  }

  private mutating func inline(_ node: PageNode) {
    let wasBold = isInBold
    if node.name == "b" || node.name == "strong" { isInBold = true }
    if !node.classes.isEmpty { part() }
    inline.begin(node.name, &text)
    walk(node)
    inline.end(node.name, text)
    if !node.classes.isEmpty { part() }
    isInBold = wasBold
  }

  /// Whether an element is one of several similar ones, and contains no items itself.
  private func isItem(_ node: PageNode, alike: Int, in parent: PageNode) -> Bool {
    guard node.length <= Self.itemLength else { return false }
    switch node.name {
    case "li":
      return !node.holdsLines && (alike > 1 || !node.holdsBreaks) && !isSection(node)
    case "tr": return !node.holdsLines
    case "div", "section", "article", "label", "dd", "dt":
      guard alike > 1, !node.isHeading(in: parent) else { return false }
      if node.isChoice { return !node.holdsLines }
      guard !node.classes.isEmpty || parent.part != nil else { return false }
      guard node.holdsBlocks || node.part != nil || parent.part != nil else { return false }
      return !node.holdsLines && !isSection(node)
    case "span": return alike > 1 && node.part != nil && !node.holdsBlocks
    default: return false
    }
  }

  /// Whether an element that is one of several is a collapsible section of the page, which contains its own heading.
  private func isSection(_ node: PageNode) -> Bool {
    guard node.holdsBlocks, let heading = node.firstText, heading.utf8.count <= 40, node.length > 60 else {
      return false
    }
    return PagePart(heading: heading, isHeading: true) != nil
  }

  // MARK: Texts

  /// Adds the text of an element as one line.
  private mutating func addText(of node: PageNode) {
    for piece in node.parts {
      switch piece {
      case .text(let piece): append(piece)
      case .element(let child):
        if isAdvertisement(child) { continue }
        let (wasBold, wasLink) = (isInBold, isInLink)
        if child.name == "b" || child.name == "strong" { isInBold = true }
        if child.name == "a" { isInLink = true }
        let isApart =
          child.isBlock || child.role.contains(.block) || child.name == "br" || child.name == "td" || child.name == "th"
        if isApart || isName(before: child) { append(" ") } else if !child.classes.isEmpty { part() }
        inline.begin(child.name, &text)
        addText(of: child)
        inline.end(child.name, text)
        if isApart { append(" ") } else if !child.classes.isEmpty { part() }
        (isInBold, isInLink) = (wasBold, wasLink)
      }
    }
  }

  /// Whether an element only says that an advertisement stands there.
  private func isAdvertisement(_ node: PageNode) -> Bool {
    (node.isBlock || !node.classes.isEmpty) && node.length <= 60 && PageWords.isAdvertisement(node.text)
  }

  /// Whether a name is directly before an element with an amount: “<b>salt</b><u>2 g</u>”.
  private func isName(before node: PageNode) -> Bool {
    // Chinese and Japanese have no blanks.
    guard let last = text.unicodeScalars.last, last.value < 0x2e80, last.properties.isAlphabetic else { return false }
    guard !["sub", "sup", "small"].contains(node.name), let amount = node.firstText else { return false }
    return amount.first?.isNumber == true && amount.contains(where: \.isLetter)
  }

  /// Separates a number from the following text: often only the style of an element separates them on the page.
  private mutating func part() {
    if text.last?.isNumber == true { append(" ") }
  }

  private mutating func append(_ piece: String) {
    let before = text.utf8.count
    inline.add(piece, &text)
    var isBlank = text.isEmpty || text.utf8.last == 0x20
    for scalar in piece.unicodeScalars {
      // Soft hyphens and the like only say where a line may be broken.
      if !scalar.isASCII, scalar.value == 0xad || scalar.value == 0x200b || scalar.value == 0xfeff { continue }
      if scalar.value > 0x20, scalar.isASCII || !scalar.properties.isWhitespace {
        text.unicodeScalars.append(scalar)
        isBlank = false
      } else {
        if !isBlank { text += " " }
        isBlank = true
      }
    }
    if isInBold { boldCount += text.utf8.count - before }
    if isInLink { linkCount += text.utf8.count - before }
  }

  private mutating func end(_ kind: PageLine.Kind = .text, isHeading: Bool = false) {
    defer { (text, boldCount, linkCount) = ("", 0, 0) }
    var plain = InlineText.whole(text).trimmed
    // Text that was encoded twice is decoded once more.
    if plain.holds("&"), plain.holds(";") { plain = PlainText.of(plain) }
    guard plain.contains(where: { $0.isLetter || $0.isNumber }) else { return }
    let count = plain.utf8.count
    func isAll(_ part: Int) -> Bool { part > 0 && part + 2 >= count }
    var line = PageLine(text: plain, kind: kind, isBold: isHeading || isAll(boldCount), isLink: isAll(linkCount))
    if isInCaption { line.role = .caption }
    lines.append(line)
  }
}
