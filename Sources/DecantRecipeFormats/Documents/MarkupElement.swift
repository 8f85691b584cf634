internal import DecantBase

/// An element of an XML or HTML document with its content; its long texts are in the spool.
package struct MarkupElement {
  /// An item in the content of an element.
  indirect enum Node {
    case element(MarkupElement)
    case text(DocumentText)
  }

  /// The name as written, with its prefix if it has one; in lower case for HTML.
  package var name: String
  /// The attributes by name, with character references resolved; the names are in lower case for HTML.
  package var attributes: [String: String] = [:]
  /// Elements and texts in document order; a CDATA section is text.
  var nodes: [Node] = []
  /// The line on which the element begins; 0 if unknown.
  var line = 0

  /// The direct child elements.
  var children: [MarkupElement] {
    nodes.compactMap { if case .element(let element) = $0 { element } else { nil } }
  }

  /// Returns the direct child elements called `name`, ignoring case.
  func children(named name: String) -> [MarkupElement] {
    children.filter { $0.name.caseInsensitiveEquals(name) }
  }

  /// Returns the first direct child element called `name`, ignoring case.
  func child(_ name: String) -> MarkupElement? {
    children.first { $0.name.caseInsensitiveEquals(name) }
  }

  /// Returns the attribute `name`, ignoring case.
  func attribute(_ name: String) -> String? {
    attributes[name] ?? attributes.first { $0.key.caseInsensitiveEquals(name) }?.value
  }

  /// The text directly in the element, without that of its children.
  var ownText: String {
    get throws {
      var text = ""
      for case .text(let piece) in nodes { text += try piece.string }
      return text
    }
  }

  /// All text in the element and its descendants, unchanged.
  var allText: String {
    get throws {
      var text = ""
      for node in nodes {
        switch node {
        case .text(let piece): text += try piece.string
        case .element(let element): text += try element.allText
        }
      }
      return text
    }
  }

  /// The only long text in the element, such as a picture in base64; otherwise all of its own text.
  var content: DocumentText {
    get throws {
      let texts = nodes.compactMap { if case .text(let text) = $0 { text } else { nil } }
      let long = texts.filter { if case .long = $0 { true } else { false } }
      if long.count == 1,
        try texts.allSatisfy({ try $0.isLong || $0.string.trimmed.isEmpty })
      {
        return long[0]
      }
      return texts.count == 1 ? texts[0] : .short(try ownText)
    }
  }

  /// Returns all descendants for which `condition` holds, in document order, including those inside other matches.
  func descendants(where condition: (MarkupElement) -> Bool) -> [MarkupElement] {
    var found: [MarkupElement] = []
    _ = descendant { child in
      if condition(child) { found.append(child) }
      return false
    }
    return found
  }

  /// Returns the first descendant for which `condition` holds.
  func descendant(where condition: (MarkupElement) -> Bool) -> MarkupElement? {
    for case .element(let child) in nodes {
      if condition(child) { return child }
      if let found = child.descendant(where: condition) { return found }
    }
    return nil
  }

  /// How `without` treats an inner element.
  enum Part {
    /// Removed, with everything in it.
    case other
    /// Kept; its content is examined.
    case own
    /// Kept, because it contains no lines of a recipe.
    case bare
  }

  /// Returns the element without its outermost descendants of kind `other`, which are added to `others`.
  ///
  /// - Parameters:
  ///   - others: Receives the elements that are removed.
  ///   - isBare: Whether an enclosing element was bare.
  ///   - part: Classifies an element, given whether an enclosing one was bare.
  /// - Returns: The remaining element.
  func without(into others: inout [MarkupElement], isBare: Bool = false, _ part: (MarkupElement, Bool) -> Part)
    -> MarkupElement
  {
    var rest = self
    rest.nodes = []
    for node in nodes {
      guard case .element(let child) = node else {
        rest.nodes.append(node)
        continue
      }
      let kind = part(child, isBare)
      if kind == .other {
        others.append(child)
      } else {
        rest.nodes.append(.element(child.without(into: &others, isBare: isBare || kind == .bare, part)))
      }
    }
    return rest
  }
}

extension DocumentText {
  fileprivate var isLong: Bool { if case .long = self { true } else { false } }
}

extension String {
  /// Whether two names are equal ignoring case.
  func caseInsensitiveEquals(_ other: String) -> Bool {
    utf8.count == other.utf8.count && lowercased() == other.lowercased()
  }
}
