internal import DecantBase

/// A mention of another object.
struct PageLink {
  let title: String
  /// The object to link to; `nil` if it is only named.
  let object: PageReference?
}

// Links to objects that are not parts.
extension PageWalk {
  /// The maximum number of objects that are named for one link.
  private static let linkLimit = 60

  /// Returns the targets of `edge`; a link that only leads back to `parent` is left out.
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
