internal import DecantJSON

/// The pictures of a node of schema.org: in the document itself, or files beside it.
///
/// Those on the web are not fetched; their addresses are kept.
struct SchemaPictures {
  let context: RecipeContext
  private(set) var images: [RecipeImage] = []
  private var addresses: [JSONValue] = []

  init(context: RecipeContext) { self.context = context }

  /// What was not taken, as `image` had it.
  var rest: JSONValue? {
    addresses.count > 1 ? .array(addresses) : addresses.first
  }

  /// Takes the pictures that `members` have.
  mutating func read(_ members: inout JSONMembers) throws {
    for element in members.take("image", "images")?.elements ?? [] {
      if case .array(let elements) = element {
        for element in elements { try readElement(element) }
      } else {
        try readElement(element)
      }
    }
  }

  private mutating func readElement(_ element: DocumentValue) throws {
    let place =
      element.isObject ? element["url"] ?? element["contentUrl"] ?? element["@id"] : element
    guard case .text(let text)? = place?.elements.first else {
      if !element.isVoid { addresses.append(try element.json) }
      return
    }
    let caption = try element.isObject ? (element["caption"] ?? element["name"])?.words : nil
    let head = String(decoding: try text.head(16), as: UTF8.self)
    if head.lowercased().hasPrefix("data:") || text.isSpooled && !head.hasPrefix("http") {
      if let image = try context.picture(base64: text, caption: caption) { images.append(image) }
      return
    }
    addresses.append(try element.json)
    let address = try text.string.trimmingBlanks
    guard let name = address.pictureFileName else {
      if let saved = context.savedPicture(at: address, caption) { images.append(saved) }
      return
    }
    images.append(RecipeImage(.file(name.withBaseName), caption: caption, name: name))
  }
}

extension RecipeContext {
  /// The picture at an address as browsers save it with a page: in the folder that is called as the page is, with
  /// `_files` behind.
  fileprivate func savedPicture(at address: String, _ caption: String?) -> RecipeImage? {
    guard address.hasPrefix("http://") || address.hasPrefix("https://") || address.hasPrefix("//"),
      let end = entry.lastIndex(of: "."), entry[end...].lowercased().hasPrefix(".htm") || entry[end...] == ".xhtml",
      let part = address.split(separator: "/").last?.prefix(while: { $0 != "?" && $0 != "#" }),
      let name = String(part).pictureFileName
    else { return nil }
    var image = RecipeImage(
      .file(["\(EntryPath.name(of: String(entry[..<end])))_files/\(name)"]), caption: caption, name: name)
    image.isNamed = false
    return image
  }
}

extension String {
  /// The text itself where it may name a picture beside the document: no address, no path from the root.
  var pictureFileName: String? {
    guard !contains(":"), !hasPrefix("/"), !hasPrefix("#"), !contains("?"), utf8.count < 1000,
      let dot = lastIndex(of: ".")
    else { return nil }
    let suffix = self[index(after: dot)...].lowercased()
    let known = ["jpg", "jpeg", "png", "gif", "webp", "heic", "avif", "bmp", "tif", "tiff"]
    return known.contains(suffix) ? self : nil
  }

  /// The path, and the last part of it alone.
  fileprivate var withBaseName: [String] {
    [self, split(separator: "/").last.map(String.init) ?? self].withoutRepeats
  }
}
