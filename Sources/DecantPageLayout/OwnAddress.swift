internal import DecantBase
internal import DecantRecipeFormats

/// The address of a page, from the page itself or from what a browser wrote into its file.
struct OwnAddress {
  /// Those of `<link rel="canonical">` and of `og:url`.
  private var canonical, shared: String?
  /// Those that the file of a saved page holds, the most certain first.
  private let saved: [String]

  /// - Parameters:
  ///   - address: The address that a file holds beside the page.
  ///   - head: The first bytes of the page, in which programs that save pages write a comment.
  init(saved address: String? = nil, head: [UInt8] = []) {
    saved = [address, Self.commented(head)].compactMap { $0 }
  }

  mutating func start(_ element: MarkupElement) {
    guard let address = element.ownAddress else { return }
    if element.name == "link" { canonical = canonical ?? address } else { shared = shared ?? address }
  }

  /// The first of the addresses that identifies a page on the web; that of a site as a whole does not.
  var page: String? {
    let base = saved.first ?? shared
    let given = [canonical, shared].compactMap { $0 }.map { address in
      base.map { PageAddress.absolute(address, on: $0) } ?? address
    }
    return (given + saved).first { PageAddress.normalized($0) != nil }
  }

  /// Returns the address in a comment of a browser, of SingleFile or of monolith at the beginning of a page.
  private static func commented(_ head: [UInt8]) -> String? {
    var rest = String(decoding: head.prefix(1 << 13).filter { $0 != 0 }, as: UTF8.self)[...]
    while let start = rest.firstRange(of: "<!--") {
      rest = rest[start.upperBound...]
      let comment = rest[..<(rest.firstRange(of: "-->")?.lowerBound ?? rest.endIndex)]
      if let match = comment.firstMatch(of: marks) { return String(match.1) }
    }
    return nil
  }

  private static var marks: Regex<(Substring, Substring)> {
    /(?:saved from url=\(\d{1,6}\)|saved with SingleFile\s+url:\s*|saved from )(https?:\/\/\S+)/.ignoresCase()
  }
}

extension MarkupElement {
  /// The address of the page itself, as `<link rel="canonical">` and `og:url` give it.
  var ownAddress: String? {
    switch name {
    case "link":
      let kinds = attributes["rel"]?.lowercased().split(whereSeparator: \.isWhitespace) ?? []
      return kinds.contains("canonical") ? attributes["href"]?.trimmed : nil
    case "meta":
      return attributes["property"] == "og:url" ? attributes["content"]?.trimmed : nil
    default: return nil
    }
  }
}
