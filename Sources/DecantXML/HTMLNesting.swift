/// The HTML elements that end implicitly or have no content.
package enum HTMLNesting {
  /// Elements that have neither content nor an end tag.
  package static let empty: Set<String> = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr", "basefont", "frame", "keygen",
  ]

  /// Elements whose content is text, even where it looks like markup.
  package static let raw: Set<String> = [
    "script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes",
  ]

  /// Inline elements.
  private static let inline: Set<String> = [
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em",
    "font", "i", "ins", "kbd", "label", "mark", "nobr", "q", "s", "samp", "small", "span", "strike",
    "strong", "sub", "sup", "time", "tt", "u", "var",
  ]

  /// Elements that begin a new paragraph.
  package static let blocks: Set<String> = [
    "address", "article", "aside", "blockquote", "center", "details", "dd", "dir", "div", "dl",
    "dt",
    "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6",
    "header", "hr", "legend", "li", "main", "menu", "nav", "ol", "p", "pre", "section", "summary", "table",
    "tr", "ul",
  ]

  /// Elements that the end tag of another element cannot close.
  private static let walls: Set<String> = ["table", "td", "th", "caption", "object", "template"]

  /// The elements that each element closes where it begins inside them, and the elements at which this stops.
  private static let siblings: [String: (ends: Set<String>, stops: Set<String>)] = {
    let cell: Set<String> = ["td", "th"]
    let row: Set<String> = ["td", "th", "tr", "caption", "colgroup"]
    let part: Set<String> = ["td", "th", "tr", "tbody", "thead", "tfoot", "caption", "colgroup"]
    let item: Set<String> = ["dt", "dd"]
    return [
      "li": (["li"], ["ul", "ol", "menu", "dir", "table", "td", "th"]),
      "dt": (item, ["dl", "table", "td", "th"]), "dd": (item, ["dl", "table", "td", "th"]),
      "td": (cell, ["table"]), "th": (cell, ["table"]), "tr": (row, ["table"]),
      "tbody": (part, ["table"]), "thead": (part, ["table"]), "tfoot": (part, ["table"]),
      "option": (["option"], ["select"]), "optgroup": (["option", "optgroup"], ["select"]),
      "body": (["head"], []),
    ]
  }()

  /// Returns how many of the open elements end because an element of this name begins.
  package static func ended(by name: String, in open: [String]) -> Int {
    if let (ends, stops) = siblings[name] {
      var count = 0
      for (depth, other) in open.reversed().enumerated() {
        if ends.contains(other) { count = depth + 1 }
        if stops.contains(other) { break }
      }
      return count
    }
    guard blocks.contains(name) else { return 0 }
    for (depth, other) in open.reversed().enumerated() {
      if other == "p" { return depth + 1 }
      guard inline.contains(other) else { break }
    }
    return 0
  }

  /// Returns the place of the open element that an end tag of this name closes, or `nil` where it closes none.
  package static func opening(of name: String, in open: [String]) -> Int? {
    let isPartOfTable = ["table", "tr", "td", "th", "tbody", "thead", "tfoot"].contains(name)
    // Most end tags without a start tag are rejected here.
    guard let place = open.lastIndex(of: name) else { return nil }
    for other in open[(place + 1)...] {
      if isPartOfTable {
        if other == "table" { return nil }
      } else if walls.contains(other) && name != "body" && name != "html" {
        return nil
      } else if inline.contains(name), !inline.contains(other) {
        return nil
      }
    }
    return place
  }
}
