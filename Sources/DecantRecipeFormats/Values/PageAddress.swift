/// The address of a page, so that two ways of writing it are one: what tells recipes of the web apart.
package enum PageAddress {
  /// Returns host, path and query of `text` without scheme, `www.`, fragment, default port, a `/` at the end and
  /// what is only there to count visitors; `nil` for what is no address of a page: a site as a whole is none.
  package static func normalized(_ text: String) -> String? {
    var rest = text.trimmingBlanks[...]
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
      // Some sites tell their pages apart behind “#/” or “#!”; elsewhere it is a place in the page.
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
    guard host.contains("."), !host.hasPrefix(".") else { return nil }
    var path = String(rest[slash...])
    while path.hasSuffix("/") { path.removeLast() }
    let kept = query.split(separator: "&").filter { !isForCounting($0) }
    let page = path + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&")) + route
    return page.isEmpty ? nil : host + page
  }

  private static func isForCounting(_ parameter: Substring) -> Bool {
    let name = parameter.prefix { $0 != "=" }.lowercased()
    return name.hasPrefix("utm_")
      || ["fbclid", "gclid", "mc_cid", "mc_eid", "igshid", "ref_src", "smid"].contains(name)
  }
}
