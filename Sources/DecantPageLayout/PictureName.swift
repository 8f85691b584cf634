internal import DecantRecipeFormats

/// A path or an address of a picture, as written in pages.
struct PictureName {
  /// The address without scheme, query and fragment, or the path; escapes are resolved.
  private let plain: String
  /// The whole text, with escapes resolved.
  private let whole: String
  /// The name of the file without its size and its extension; `nil` for a name that is too common.
  let stem: String?
  /// The width in the name; a large number for a name without a width.
  let width: Int

  /// - Parameters:
  ///   - text: The name as written.
  ///   - base: The base of relative addresses.
  init(_ text: String, _ base: String?) {
    let absolute = base.map { PageAddress.absolute(text, on: $0) } ?? text
    whole = PageAddress.unescaped(Self.withoutScheme(absolute))
    plain = String(whole.prefix { $0 != "?" && $0 != "#" })
    (stem, width) = Self.parts(of: plain)
  }

  /// Whether both are the same picture: equal addresses, or this one belongs to a service and contains the other.
  func isSame(_ other: PictureName) -> Bool {
    if whole == other.whole || plain == other.plain, plain.contains("/"), !plain.hasSuffix("/") {
      // Some sites distinguish their pictures by the query alone.
      return stem != nil || whole == other.whole
    }
    return other.plain.utf8.count > 20 && other.plain.contains("/") && whole.contains(other.plain)
  }

  /// Returns the stem and the width of the file name in a path.
  private static func parts(of path: String) -> (stem: String?, width: Int) {
    let file = path.utf8.lastIndex(of: 0x2f).map { path[path.utf8.index(after: $0)...] } ?? path[...]
    var name = file.lowercased()[...]
    while let dot = name.lastIndex(of: "."), kinds.contains(String(name[name.index(after: dot)...])) {
      name = name[..<dot]
    }
    // Browsers number files with equal names: “soup(1)”.
    if name.last == ")", let open = name.lastIndex(of: "("), name[open...].dropFirst().dropLast().allSatisfy(\.isNumber)
    {
      name = name[..<open]
    }
    if name.hasSuffix("-scaled") { name = name.dropLast(7) }
    if let mark = name.last, mark == "x", let at = name.lastIndex(of: "@") { name = name[..<at] }
    var width = 10_000
    let height = name.reversed().prefix { $0.isNumber }
    let rest = name.dropLast(height.count)
    if (2...4).contains(height.count), rest.last == "x" {
      let digits = String(rest.dropLast().reversed().prefix { $0.isNumber }.reversed())
      let front = rest.dropLast(digits.count + 1)
      if (2...4).contains(digits.count), let mark = front.last, "-_.".contains(mark) {
        width = Int(digits) ?? width
        name = front.dropLast()
      }
    }
    let letters = name.count { $0.isLetter || $0.isNumber }
    return (letters < 4 || common.contains(String(name)) ? nil : String(name), width)
  }

  private static let kinds: Set = ["jpg", "jpeg", "png", "gif", "webp", "heic", "avif", "bmp", "tif", "tiff"]
  private static let common: Set = [
    "image", "images", "photo", "photos", "picture", "unnamed", "default", "thumbnail", "original", "medium", "large",
    "small", "resize", "placeholder", "recipe",
  ]

  /// Whether it refers to a file beside the page, and not to the web or to an absolute path.
  static func isBeside(_ name: String) -> Bool { !isOnWeb(name) && !name.hasPrefix("/") && !name.contains(":") }

  /// Whether it is a web address.
  static func isOnWeb(_ name: String) -> Bool {
    name.hasPrefix("http://") || name.hasPrefix("https://") || name.hasPrefix("//")
  }

  /// Whether it has the extension of a picture.
  static func isPicture(_ name: String) -> Bool {
    let path = name.prefix { $0 != "?" && $0 != "#" }
    guard let dot = path.lastIndex(of: ".") else { return false }
    return kinds.contains(path[path.index(after: dot)...].lowercased())
  }

  /// Whether the value of an attribute may be the address of a picture.
  static func mayBeAddress(_ value: String) -> Bool {
    value.utf8.count < 2000 && !value.contains("{") && (isOnWeb(value) || isPicture(value))
  }

  /// Returns the addresses in a `srcset`: each ends at a space, before its size.
  static func candidates(in set: String) -> [String] {
    guard set.utf8.count < 100_000 else { return [] }
    var found: [String] = []
    for word in set.split(whereSeparator: \.isWhitespace) {
      var word = word
      while word.last == "," { word = word.dropLast() }
      while word.first == "," { word = word.dropFirst() }
      if let last = word.last, "wxh".contains(last), word.dropLast().allSatisfy({ $0.isNumber || $0 == "." }) {
        continue
      }
      if !word.isEmpty, !word.hasPrefix("data:") { found.append(String(word)) }
    }
    return found
  }

  private static func withoutScheme(_ text: String) -> String {
    for scheme in ["https://", "http://", "//"] where text.hasPrefix(scheme) {
      return String(text.dropFirst(scheme.count))
    }
    return text
  }
}
