internal import DecantRecipeFormats

/// A line of a page as its layout gives it: a heading, an item of a list, or text.
struct PageLine {
  enum Kind: Hashable {
    case heading(Int)
    /// An element of a list, a row of a table, or one of several elements that are alike.
    case item
    case text
  }

  var text: String
  let kind: Kind
  /// Whether all of it is bold.
  var isBold = false

  var isItem: Bool { kind == .item }
  var level: Int? { if case .heading(let level) = kind { level } else { nil } }
  /// Whether it looks like a heading, marked as one or not.
  var isHeading: Bool { level != nil || (isBold && text.count <= 80) }

  /// The part of a recipe that it is the heading of.
  var part: PagePart? { PagePart(heading: text, isHeading: isHeading) }

  var digitCount: Int { text.unicodeScalars.count { $0.properties.numericType != nil } }
}

/// Lines that are in an element called after a part of a recipe.
struct PageRegion {
  let part: PagePart
  let lines: Range<Int>
  /// The name and the classes of the element: regions that are alike have the same.
  let kind: String
}

/// The lines of a page in their order, and the regions in it.
struct PageLines {
  private(set) var lines: [PageLine] = []
  private(set) var regions: [PageRegion] = []
  /// The parts that the lines are headings of.
  private(set) var parts: [PagePart?] = []
  private var text = ""
  private var boldCount = 0
  private var isInBold = false

  /// How many lines a region may have, and how many regions a page.
  private static let regionLength = 500
  private static let regionCount = 2_000

  /// The longest text of an item.
  private static let itemLength = 4_000

  init(_ root: PageNode) {
    walk(root)
    end()
    // Short text between the items of lists is the heading of a group.
    for index in lines.indices.dropFirst().dropLast()
    where lines[index].kind == .text && lines[index - 1].isItem && lines[index + 1].isItem {
      if lines[index].text.count <= 40, lines[index].digitCount == 0 { lines[index].isBold = true }
    }
    parts = lines.map(\.part)
  }

  private mutating func walk(_ node: PageNode) {
    let start = lines.count
    if node.part != nil { end() }
    add(node)
    guard let part = node.part else { return }
    end()
    if lines.count > start {
      note(part, start..<lines.count, node)
    }
  }

  private mutating func add(_ node: PageNode) {
    if let level = node.level {
      end()
      addText(of: node)
      return end(.heading(level))
    }
    if node.name == "br" { return end() }
    let children = node.children
    // What is alike is counted among the children.
    var counts: [String: Int] = [:]
    for child in children where child.name != "br" { counts[child.kind, default: 0] += 1 }
    for part in node.parts {
      switch part {
      case .text(let piece): append(piece)
      case .element(let child):
        let alike = counts[child.kind] ?? 0
        if child.name == "button" {
          // Of what can be pressed only headings that open and close are of the recipe.
          if PagePart(heading: child.firstText ?? "", isHeading: true) != nil { inline(child) }
        } else if isItem(child, alike: alike, in: node) {
          end()
          if child.part != nil {
            let start = lines.count
            addText(of: child)
            end(.item)
            if lines.count > start, let part = child.part {
              note(part, start..<lines.count, child)
            }
          } else {
            addText(of: child)
            end(.item)
          }
        } else if child.isBlock || child.holdsBlocks || child.part != nil && child.name != "span" && child.name != "a" {
          end()
          walk(child)
          end()
        } else {
          inline(child)
        }
      }
    }
  }

  /// Notes a region, unless it is too long for one, or there are more than any page of a recipe has.
  private mutating func note(_ part: PagePart, _ lines: Range<Int>, _ node: PageNode) {
    guard lines.count <= Self.regionLength, regions.count < Self.regionCount else { return }
    regions.append(PageRegion(part: part, lines: lines, kind: node.kind))
  }

  private mutating func inline(_ node: PageNode) {
    let wasBold = isInBold
    if node.name == "b" || node.name == "strong" { isInBold = true }
    if !node.classes.isEmpty { part() }
    walk(node)
    if !node.classes.isEmpty { part() }
    isInBold = wasBold
  }

  /// Whether an element is one of several that are alike, and holds none such itself.
  private func isItem(_ node: PageNode, alike: Int, in parent: PageNode) -> Bool {
    guard node.length <= Self.itemLength else { return false }
    switch node.name {
    case "li":
      return !node.holdsLines && (alike > 1 || !node.holdsBreaks) && !isSection(node)
    case "tr": return !node.holdsLines
    case "div", "section", "article", "label", "dd", "dt":
      guard alike > 1, !node.classes.isEmpty || parent.part != nil else { return false }
      guard node.holdsBlocks || node.part != nil || parent.part != nil else { return false }
      return !node.holdsLines && !isSection(node)
    case "span": return alike > 1 && node.part != nil && !node.holdsBlocks
    default: return false
    }
  }

  /// Whether an element that is one of several is a section of the page that opens and closes: its heading stands in it.
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
        let wasBold = isInBold
        if child.name == "b" || child.name == "strong" { isInBold = true }
        let isApart = child.isBlock || child.name == "br" || child.name == "td" || child.name == "th"
        if isApart { append(" ") } else if !child.classes.isEmpty { part() }
        addText(of: child)
        if isApart { append(" ") } else if !child.classes.isEmpty { part() }
        isInBold = wasBold
      }
    }
  }

  /// Parts a number from what follows: an element of its own often has only its style between them.
  private mutating func part() {
    if text.last?.isNumber == true { append(" ") }
  }

  private mutating func append(_ piece: String) {
    let before = text.utf8.count
    var isBlank = text.isEmpty || text.utf8.last == 0x20
    for scalar in piece.unicodeScalars {
      if scalar.value > 0x20, scalar.isASCII || !scalar.properties.isWhitespace {
        text.unicodeScalars.append(scalar)
        isBlank = false
      } else {
        if !isBlank { text += " " }
        isBlank = true
      }
    }
    if isInBold { boldCount += text.utf8.count - before }
  }

  private mutating func end(_ kind: PageLine.Kind = .text) {
    defer { (text, boldCount) = ("", 0) }
    let plain = text.trimmingBlanks
    guard plain.contains(where: { $0.isLetter || $0.isNumber }) else { return }
    lines.append(PageLine(text: plain, kind: kind, isBold: boldCount + 2 >= plain.utf8.count))
  }
}
