internal import DecantJSON

/// Values that HTML keeps in attributes.
extension MarkupElement {
  /// Whether `name` is among the classes of the element.
  func hasClass(_ name: String) -> Bool { classes.contains(Substring(name)) }

  /// The classes of the element.
  var classes: [Substring] { (attributes["class"] ?? "").split(whereSeparator: \.isWhitespace) }

  /// Returns the first descendant whose `id` is `id`.
  func first(id: String) -> MarkupElement? { descendants { $0.attributes["id"] == id }.first }
}

extension RecipeContext {
  /// Returns the picture of an `img`: in a file beside the page, or in the address itself; `nil` for a picture on the
  /// network, which is not fetched.
  func picture(source: String?, caption: String? = nil) throws -> RecipeImage? {
    guard let source else { return nil }
    if source.hasPrefix("data:") {
      return try picture(base64: .short(source), caption: caption)
    }
    var image = picture(file: source, folders: ["images/", "Images/"])
    image?.caption = caption
    return image
  }

  /// Returns the picture of an `img`; the address of one on the network is kept in `extra`.
  func image(_ element: MarkupElement, _ extra: inout [(String, JSONValue)], step: Int? = nil) throws -> RecipeImage? {
    let source = element.value("src")
    var image = try picture(source: source, caption: element.value("alt"))
    image?.step = step
    if image == nil, source?.hasPrefix("data:") == false { extra.keep("image", source) }
    return image
  }
}
