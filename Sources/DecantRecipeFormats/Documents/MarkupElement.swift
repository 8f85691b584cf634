/// An element of an XML or HTML document with all that is in it; its long texts lie in the spool.
package struct MarkupElement {
  /// What stands in an element.
  indirect enum Node {
    case element(MarkupElement)
    case text(DocumentText)
  }

  /// The name as written, with its prefix if it has one; of HTML in lower case.
  package var name: String
  /// The attributes by name, character references resolved; names of HTML in lower case.
  package var attributes: [String: String] = [:]
  /// Elements and texts in document order; a CDATA section is text.
  var nodes: [Node] = []
  /// The line on which the element begins; 0 where it is not known.
  var line = 0

  /// The elements directly in this one.
  var children: [MarkupElement] {
    nodes.compactMap { if case .element(let element) = $0 { element } else { nil } }
  }

  /// The elements directly in this one that go by `name`, in whatever case.
  func children(named name: String) -> [MarkupElement] {
    children.filter { $0.name.caseInsensitiveEquals(name) }
  }

  /// The first element directly in this one that goes by `name`, in whatever case.
  func child(_ name: String) -> MarkupElement? {
    children.first { $0.name.caseInsensitiveEquals(name) }
  }

  /// The attribute `name`, in whatever case.
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

  /// All text in the element and in what it holds, as it stands there.
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

  /// The only long text in the element, such as a picture in base64; else all of its own text.
  var content: DocumentText {
    get throws {
      let texts = nodes.compactMap { if case .text(let text) = $0 { text } else { nil } }
      let long = texts.filter { if case .long = $0 { true } else { false } }
      if long.count == 1,
        try texts.allSatisfy({ try $0.isLong || $0.string.trimmingBlanks.isEmpty })
      {
        return long[0]
      }
      return texts.count == 1 ? texts[0] : .short(try ownText)
    }
  }

  /// All elements in this one, at whatever depth, for which `condition` holds, in document order; what lies in
  /// one of them is looked at as well.
  func descendants(where condition: (MarkupElement) -> Bool) -> [MarkupElement] {
    var found: [MarkupElement] = []
    _ = descendant { child in
      if condition(child) { found.append(child) }
      return false
    }
    return found
  }

  /// The first of them.
  func descendant(where condition: (MarkupElement) -> Bool) -> MarkupElement? {
    for case .element(let child) in nodes {
      if condition(child) { return child }
      if let found = child.descendant(where: condition) { return found }
    }
    return nil
  }

  /// How `without` treats an inner element.
  enum Part {
    /// It is taken out, with all that is in it.
    case other
    /// It stays; what lies in it is looked at.
    case own
    /// It stays, as it has no lines of a recipe in it.
    case bare
  }

  /// The element without the outermost ones in it that are parts of their own, which are added to `others`.
  ///
  /// - Parameters:
  ///   - others: Gets what is taken out.
  ///   - isBare: Whether an element around it was bare.
  ///   - part: Tells what an element is, and is told whether one around it was bare.
  /// - Returns: The element that is left.
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
  /// Whether two names are one but for the case of ASCII letters.
  func caseInsensitiveEquals(_ other: String) -> Bool {
    utf8.count == other.utf8.count && lowercased() == other.lowercased()
  }
}
