/// What HTML has in attributes.
extension MarkupElement {
  /// Whether `name` is among the classes of the element.
  func hasClass(_ name: String) -> Bool { classes.contains(Substring(name)) }

  /// The classes of the element.
  var classes: [Substring] { (attributes["class"] ?? "").split(whereSeparator: \.isWhitespace) }

  /// The first element in this one that `id` names.
  func first(id: String) -> MarkupElement? { descendants { $0.attributes["id"] == id }.first }
}

extension RecipeContext {
  /// The picture that an `img` names: in a file beside the page, or within the address itself; `nil` for one
  /// on the network, which is not fetched.
  func picture(source: String?, caption: String? = nil) throws -> RecipeImage? {
    guard let source else { return nil }
    if source.hasPrefix("data:") {
      return try picture(base64: .short(source), caption: caption)
    }
    var image = picture(file: source, folders: ["images/", "Images/"])
    image?.caption = caption
    return image
  }
}
