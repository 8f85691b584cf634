package import DecantRecipeFormats

/// The pictures that a page shows, each with all names by which it goes: where it lies beside the page, its address on the
/// web, those of its other sizes.
///
/// A page that was saved with its pictures shows local ones, and its structured data name those of the web: what stands in
/// one element, or is called alike, is one picture.
package final class PagePictures {
  /// A picture that the page shows.
  struct Picture {
    /// Paths beside the page and addresses, as written.
    fileprivate(set) var names: [String] = []
    /// The picture itself, in base64, where the page has it in an address.
    fileprivate(set) var data: SpooledText?
    fileprivate(set) var caption: String?
  }

  private let spool: TextSpool
  private(set) var pictures: [Picture] = []
  /// The picture that the page has others show: `og:image`.
  private(set) var shared: String?
  /// What relative addresses are seen from.
  private(set) var base: String?
  private var depth = 0
  /// Where the element began in which all pictures are one: a `picture`, or a link to a picture.
  private var groupDepth: Int?
  private var group = Picture()

  /// More pictures than this, and longer names, are not kept.
  private static let countLimit = 5000
  private static let nameByteLimit = 2000
  /// Of what has another address, too, the characters of base64 that a picture has at least: less holds its place until it is
  /// loaded.
  private static let pictureByteCount = 2700

  /// Whether pictures may lie at addresses of the web, as those of a page do that was saved in one file with them.
  let holdsWeb: Bool
  /// Whether a program has put all pictures into the page, so that none only holds the place of another.
  let isWhole: Bool
  /// The names of each picture, made when the first is looked for.
  private(set) lazy var names: [[PictureName]] = {
    let later = placeholders
    for index in pictures.indices { pictures[index].names.removeAll(where: later.contains) }
    return pictures.map { $0.names.map { PictureName($0, base) } }
  }()

  /// - Parameters:
  ///   - spool: Takes pictures that the page has in addresses.
  ///   - address: Where the page was that was saved in one file with its pictures; `nil` for any other page.
  ///   - holdsWeb: Whether it is such a page.
  ///   - head: The first bytes of the page, in which programs name themselves that put pictures into pages.
  package init(spool: TextSpool, address: String? = nil, holdsWeb: Bool = false, head: [UInt8] = []) {
    (self.spool, self.holdsWeb, base) = (spool, holdsWeb, address)
    let text = String(decoding: head.prefix(2048), as: UTF8.self)
    isWhole = text.contains("saved with SingleFile") || text.contains("using monolith")
  }

  // MARK: Reading

  func start(_ element: MarkupElement) throws {
    depth += 1
    switch element.name {
    case "base": base = base ?? element.attributes["href"]
    case "meta":
      let name = (element.attributes["property"] ?? element.attributes["name"] ?? "").lowercased()
      if name == "og:image" || name == "twitter:image" || name == "og:image:secure_url" {
        shared = shared ?? element.attributes["content"]?.trimmingBlanks
      }
    case "picture": begin()
    case "a":
      guard let link = element.attributes["href"], PictureName.isPicture(link) else { return }
      begin()
      add(link, to: &group)
    case "img", "source", "amp-img", "image", "input":
      try read(element)
    default: return
    }
  }

  func end() {
    if let groupDepth, depth <= groupDepth { endGroup() }
    depth -= 1
  }

  private func begin() {
    guard groupDepth == nil else { return }
    groupDepth = depth
  }

  private func endGroup() {
    groupDepth = nil
    keep(group)
    group = Picture()
  }

  private func keep(_ picture: Picture) {
    guard pictures.count < Self.countLimit,
      picture.data != nil || (holdsWeb ? !picture.names.isEmpty : picture.names.contains(where: PictureName.isBeside))
    else { return }
    pictures.append(picture)
  }

  private func read(_ element: MarkupElement) throws {
    var picture = groupDepth == nil ? Picture() : group
    picture.caption = picture.caption ?? element.attributes["alt"].map(\.trimmingBlanks)
    for name in ["src", "xlink:href"] {
      guard let value = element.attributes[name] else { continue }
      if value.hasPrefix("data:") {
        try take(value, of: element, into: &picture)
      } else {
        add(value, to: &picture)
      }
    }
    for (name, value) in element.attributes.sorted(by: { $0.key < $1.key }) {
      if name.hasSuffix("srcset") {
        for candidate in PictureName.candidates(in: value) { add(candidate, to: &picture) }
      } else if name.hasPrefix("data-"), PictureName.mayBeAddress(value) {
        add(value, to: &picture)
      }
    }
    if groupDepth == nil { keep(picture) } else { group = picture }
  }

  private func add(_ name: String, to picture: inout Picture) {
    let name = name.trimmingBlanks
    guard !name.isEmpty, !name.hasPrefix("data:"), !name.hasPrefix("#"), name.utf8.count <= Self.nameByteLimit,
      picture.names.count < 100, !picture.names.contains(name)
    else { return }
    picture.names.append(name)
  }

  /// Keeps a picture that stands in an address.
  private func take(_ address: String, of element: MarkupElement, into picture: inout Picture) throws {
    guard address.prefix(64).lowercased().contains(";base64,"), !address.hasPrefix("data:image/svg") else { return }
    let isSmall = !isWhole && address.utf8.count < Self.pictureByteCount
    let isLoadedLater = element.attributes.contains { name, value in
      name.hasPrefix("data-") && !name.hasPrefix("data-sf-") && PictureName.mayBeAddress(value)
        || name == "srcset" && !value.isEmpty
    }
    guard !(isSmall && isLoadedLater), pictures.count < Self.countLimit, picture.data == nil else { return }
    picture.data = try spool.take(address)
  }

  /// The names of pictures that only hold the place of others until these are loaded: several pictures have them that have no
  /// other name in common.
  private var placeholders: Set<String> {
    var others: [String: Set<String>] = [:]
    var found: Set<String> = []
    for picture in pictures where picture.names.count > 1 {
      let name = picture.names[0]
      let rest = Set(picture.names.dropFirst())
      if let before = others[name], before.isDisjoint(with: rest) { found.insert(name) }
      others[name, default: []].formUnion(rest)
    }
    return found
  }
}
