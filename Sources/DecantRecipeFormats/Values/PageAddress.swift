internal import DecantBase

/// Page addresses in a normal form, by which recipes from the web are identified.
package enum PageAddress {
  /// Returns host, path and query of `text` without scheme, `www.`, fragment, default port, a `/` at the end and
  /// tracking parameters; `nil` for anything that is not the address of a page, such as a site as a whole.
  package static func normalized(_ text: String) -> String? {
    guard let (host, page) = parts(text), host.contains("."), !host.hasPrefix("."), !page.isEmpty else { return nil }
    return host + page
  }

  /// Whether `text` is the address of a site as a whole, with or without a fragment on its front page.
  package static func isSite(_ text: String) -> Bool { parts(text)?.page.isEmpty ?? false }

  /// Returns the host of a web address, and the part that identifies its page on that host.
  private static func parts(_ text: String) -> (host: String, page: String)? {
    var rest = text.trimmed[...]
    let lower = rest.lowercased()
    if lower.hasPrefix("http://") {
      rest = rest.dropFirst(7)
    } else if lower.hasPrefix("https://") {
      rest = rest.dropFirst(8)
    } else {
      return nil
    }
    guard !rest.contains(where: \.isWhitespace) else { return nil }
    var route: Substring = ""
    if let fragment = rest.firstIndex(of: "#") {
      // Some sites distinguish their pages after “#/” or “#!”; on others, the fragment is a place in the page.
      let mark = rest[fragment...].dropFirst().first
      if mark == "/" || mark == "!" { route = rest[fragment...] }
      rest = rest[..<fragment]
    }
    var query: Substring = ""
    if let mark = rest.firstIndex(of: "?") {
      query = rest[rest.index(after: mark)...]
      rest = rest[..<mark]
    }
    let slash = rest.firstIndex(of: "/") ?? rest.endIndex
    var host = rest[..<slash].lowercased()
    if let at = host.lastIndex(of: "@") { host = String(host[host.index(after: at)...]) }
    for port in [":80", ":443"] where host.hasSuffix(port) { host.removeLast(port.count) }
    if host.hasPrefix("www.") { host.removeFirst(4) }
    var path = String(rest[slash...])
    while path.hasSuffix("/") { path.removeLast() }
    let kept = query.split(separator: "&").filter { !isForCounting($0) }
    return (host, path + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&")) + route)
  }

  private static func isForCounting(_ parameter: Substring) -> Bool {
    let name = parameter.prefix { $0 != "=" }.lowercased()
    return name.hasPrefix("utm_")
      || ["fbclid", "gclid", "mc_cid", "mc_eid", "igshid", "ref_src", "smid"].contains(name)
  }

  /// Returns the absolute address of `text` on the page at `base`: `text` itself if it has a scheme, or if `base` is
  /// not an address.
  package static func absolute(_ text: String, on base: String) -> String {
    if let colon = text.firstIndex(of: ":"),
      text[..<colon].allSatisfy({ $0.isLetter || "+-.".contains($0) || $0.isNumber })
    {
      return text
    }
    guard let end = base.firstIndex(of: ":"), base[end...].hasPrefix("://") else { return text }
    let scheme = base[..<end]
    if text.hasPrefix("//") { return "\(scheme):\(text)" }
    let rest = base[end...].dropFirst(3).prefix { $0 != "?" && $0 != "#" }
    let slash = rest.firstIndex(of: "/") ?? rest.endIndex
    let site = "\(scheme)://\(rest[..<slash])"
    let path = text.prefix { $0 != "?" && $0 != "#" }
    let behind = text[path.endIndex...]
    var parts =
      path.hasPrefix("/") ? [] : rest[slash...].split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    if path.isEmpty { return "\(site)/\(parts.joined(separator: "/"))\(behind)" }
    if !path.hasPrefix("/") { parts = parts.dropLast() }
    for part in (path.hasPrefix("/") ? path.dropFirst() : path).split(separator: "/", omittingEmptySubsequences: false)
    {
      switch part {
      case ".": continue
      case "..": _ = parts.popLast()
      default: parts.append(part)
      }
    }
    return "\(site)/\(parts.joined(separator: "/"))\(behind)"
  }

  /// Returns `name` with `%20` and the like decoded, if the result is valid UTF-8.
  package static func unescaped(_ name: String) -> String {
    guard name.utf8.contains(0x25) else { return name }
    var bytes: [UInt8] = []
    var rest = Array(name.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == 0x25, rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        rest = rest.dropFirst(2)
        bytes.append(value)
      } else {
        bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self) ?? name
  }
}
