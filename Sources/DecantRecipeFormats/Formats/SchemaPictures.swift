internal import DecantBase
internal import DecantJSON

/// The pictures of a schema.org node: in the document itself, or files beside it.
///
/// Those on the web are not fetched; their addresses are kept.
struct SchemaPictures {
  let context: RecipeContext
  private(set) var images: [RecipeImage] = []
  private var addresses: [JSONValue] = []

  init(context: RecipeContext) { self.context = context }

  /// The pictures that were not taken, as written in `image`.
  var rest: JSONValue? {
    addresses.count > 1 ? .array(addresses) : addresses.first
  }

  /// Reads the pictures in `members`.
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
    let address = try text.string.trimmed
    guard let name = address.pictureFileName else { return }
    images.append(RecipeImage(.file(name.withBaseName), caption: caption, name: name))
  }
}

extension Recipe {
  /// The addresses of pictures on the web, which are kept and not fetched.
  package var pictureAddresses: [String] { JSONValue.pictureAddresses(in: extra) }

  /// Keeps the address of a picture on the web.
  package mutating func keep(pictureAddress address: String) { extra.keep("image", address) }
}

extension RecipeStep {
  /// The addresses of pictures on the web, which are kept and not fetched.
  package var pictureAddresses: [String] { JSONValue.pictureAddresses(in: extra) }
}

extension JSONValue {
  /// Returns the addresses in the member `image` of `extra`.
  fileprivate static func pictureAddresses(in extra: [(String, JSONValue)]) -> [String] {
    extra.filter { $0.0 == "image" }.flatMap(\.1.addresses).withoutRepeats
  }

  private var addresses: [String] {
    switch self {
    case .string(let text): text.isEmpty || text.hasPrefix("data:") ? [] : [text]
    case .array(let elements): elements.flatMap(\.addresses)
    case .object(let members):
      ["url", "contentUrl", "@id"].lazy.compactMap { name in
        members.first { $0.0 == name }?.1.addresses
      }.first { !$0.isEmpty } ?? []
    default: []
    }
  }
}

extension String {
  /// The text itself if it may name a picture beside the document: not an address, and not a path from the root.
  var pictureFileName: String? {
    guard !contains(":"), !hasPrefix("/"), !hasPrefix("#"), !contains("?"), utf8.count < 1000,
      let dot = lastIndex(of: ".")
    else { return nil }
    let suffix = self[index(after: dot)...].lowercased()
    let known = ["jpg", "jpeg", "png", "gif", "webp", "heic", "avif", "bmp", "tif", "tiff"]
    return known.contains(suffix) ? self : nil
  }

  /// The path, and its last part alone.
  fileprivate var withBaseName: [String] {
    [self, split(separator: "/").last.map(String.init) ?? self].withoutRepeats
  }
}
