internal import DecantBase
package import DecantRecipeFormats

/// The pictures that a page shows, each with all its names: its path beside the page, its address on the web, and those
/// of its other sizes.
///
/// A page saved with its pictures shows local ones, while its structured data refer to the web: pictures in one
/// element, or with similar names, are the same picture.
package final class PagePictures {
  /// A picture that the page shows.
  struct Picture {
    /// Paths beside the page and addresses, as written.
    fileprivate(set) var names: [String] = []
    /// The picture itself, in base64, if the page contains it in an address.
    fileprivate(set) var data: SpooledText?
    fileprivate(set) var caption: String?
  }

  private let spool: TextSpool
  private(set) var pictures: [Picture] = []
  /// The picture for sharing the page: `og:image`.
  private(set) var shared: String?
  /// The base of relative addresses.
  private(set) var base: String?
  private var depth = 0
  /// The depth of the element whose pictures are all the same: a `picture`, or a link to a picture.
  private var groupDepth: Int?
  private var group = Picture()

  /// The limits for the number of pictures and the length of names; anything beyond them is ignored.
  private static let countLimit = 5000
  private static let nameByteLimit = 2000
  /// The minimum length in base64 of a picture that also has another address: anything shorter is a placeholder until
  /// that is loaded.
  private static let pictureByteCount = 2700

  /// Whether pictures may have web addresses, as in a page that was saved with them in one file.
  let holdsWeb: Bool
  /// Whether a program has embedded all pictures in the page, so that none is a placeholder.
  let isWhole: Bool
  /// The names of each picture, determined on first use.
  private(set) lazy var names: [[PictureName]] = {
    let later = placeholders
    for index in pictures.indices { pictures[index].names.removeAll(where: later.contains) }
    return pictures.map { $0.names.map { PictureName($0, base) } }
  }()

  /// - Parameters:
  ///   - spool: Stores pictures that the page contains in addresses.
  ///   - address: The original address of a page saved with its pictures in one file; `nil` for any other page.
  ///   - holdsWeb: Whether it is such a page.
  ///   - head: The first bytes of the page, in which programs that embed pictures identify themselves.
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
        shared = shared ?? element.attributes["content"]?.trimmed
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
    picture.caption = picture.caption ?? element.attributes["alt"].map(\.trimmed)
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
    let name = name.trimmed
    guard !name.isEmpty, !name.hasPrefix("data:"), !name.hasPrefix("#"), name.utf8.count <= Self.nameByteLimit,
      picture.names.count < 100, !picture.names.contains(name)
    else { return }
    picture.names.append(name)
  }

  /// Stores a picture that is contained in an address.
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

  /// The names of placeholders for pictures that are loaded later: they are shared by several pictures that have no
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
