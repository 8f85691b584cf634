internal import DecantBase
internal import Synchronization

/// The links of a layout, in order and by relationship.
struct LinkIndex: Sendable {
  /// The links in columns, table by table, then those in link tables.
  private(set) var links: [Link] = []
  private var columns: [Property: Link] = [:]
  private var tables: [Property: Link] = [:]

  init(_ layout: StoreLayout) {
    for relation in layout.relations {
      var others: [Link] = []
      for column in relation.columns {
        guard let link = Link(column, of: relation) else { continue }
        links.append(link)
        switch column.columnRole {
        case .target: enter(link)
        // The holder's own column has precedence over one of the targets.
        case .owner: others.append(link)
        case .attribute, .key, .targetEntity, .position, .ownerPosition, .unnamed, .revision: break
        }
      }
      for link in others { enter(link) }
    }
    for table in layout.linkRelations {
      let link = Link(table)
      links.append(link)
      if tables[link.relationship] == nil { tables[link.relationship] = link }
      if let inverse = link.inverse, tables[inverse] == nil { tables[inverse] = link.reversed(as: inverse) }
    }
  }

  private mutating func enter(_ link: Link) {
    if columns[link.relationship] == nil { columns[link.relationship] = link }
  }

  /// Returns the links of `relationship`; `nil` if the store does not contain it.
  func link(_ relationship: Property, inverse: Property?) -> Link? {
    columns[relationship] ?? tables[relationship]
      ?? inverse.flatMap { columns[$0] }?.reversed(as: relationship)
  }
}

/// The index of a layout's links, made when it is first used: a database may have hundreds of tables.
///
/// It follows from the layout, so that all are equal.
final class LaterLinkIndex: Sendable, Hashable {
  private let index = Mutex<LinkIndex?>(nil)

  /// Returns the index of the links in `layout`.
  func index(of layout: StoreLayout) -> LinkIndex {
    index.withLock { index in
      let known = index ?? LinkIndex(layout)
      index = known
      return known
    }
  }

  static func == (_: LaterLinkIndex, _: LaterLinkIndex) -> Bool { true }

  func hash(into _: inout Hasher) {}
}
