internal import DecantBase

/// A mention of another object.
struct PageLink {
  let title: String
  /// Where it is shown; `nil` where it is only named.
  let object: PageReference?
}

// What objects lead to without it being their part.
extension PageWalk {
  /// So many objects are named where an object leads to many.
  private static let linkLimit = 60

  /// Returns what `edge` leads to; a link that only leads back to `parent` says nothing.
  func links(of edge: PageEdge, from object: PageObject, except parent: PageReference?)
    throws(DecantError) -> [PageLink]
  {
    var links: [PageLink] = []
    var targets = try store.targets(of: edge, from: object)
    while let target = try targets.next() {
      guard target != parent || edge.isToMany, let title = try store.title(of: target) else {
        continue
      }
      if links.count == PageWalk.linkLimit {
        links.append(PageLink(title: "…", object: nil))
        break
      }
      links.append(PageLink(title: title, object: try hasPlace(target) ? target : nil))
    }
    return links
  }

  func write(_ links: [PageLink]) throws(DecantError) {
    for (position, link) in links.enumerated() {
      if position > 0 { try writer.words(", ") }
      if let object = link.object {
        try writer.link(link.title, object)
      } else {
        try writer.text(link.title, isStrong: false)
      }
    }
  }
}
