package import DecantBase
package import DecantPlan
package import DecantStore

/// The lists of one relationship, seen from the objects that have them.
package struct OrderedLists {
  /// The number of the lists.
  package let number: Int
  /// The link in the source.
  package let link: Link
  /// How to find the link in another store: the relationship, and whether the link is reversed.
  package let relationship: Property
  package let isReversed: Bool

  package init(number: Int, link: Link, relationship: Property, isReversed: Bool) {
    (self.number, self.link, self.relationship) = (number, link, relationship)
    self.isReversed = isReversed
  }

  /// Returns the ordered lists of a store; those of undirected pairs have no order of their own.
  package static func all(of layout: Layout) -> [OrderedLists] {
    var lists: [OrderedLists] = []
    for link in layout.links where !link.isReflexive {
      let back = link.reversed(as: link.inverse ?? link.relationship)
      for (seen, isReversed) in [(link, false), (back, true)] where seen.position != nil {
        lists.append(
          OrderedLists(number: lists.count, link: seen, relationship: link.relationship, isReversed: isReversed)
        )
      }
    }
    return lists
  }

  /// Returns the relationship of the objects that have the lists.
  package func relationship(in model: Model) -> Property {
    guard isReversed, link.relationship == relationship,
      let back = model.relationship(relationship), let inverse = back.inverse
    else { return link.relationship }
    return Property(back.destination, inverse)
  }

  /// Returns the same lists in another store; `nil` if it has none, or without order.
  package func link(in layout: Layout) -> Link? {
    guard let found = layout.link(relationship), !found.isReflexive else { return nil }
    let link = isReversed ? found.reversed(as: self.link.relationship) : found
    return link.position == nil ? nil : link
  }
}

/// A list of the destination that takes the source's order.
package struct TakenOrder {
  package let lists: OrderedLists
  /// The owner's key in each store.
  package let owner: Sided<Int64>

  package init(lists: OrderedLists, owner: Sided<Int64>) {
    (self.lists, self.owner) = (lists, owner)
  }
}
