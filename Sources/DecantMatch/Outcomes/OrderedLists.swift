package import DecantBase
package import DecantPlan
package import DecantStore

/// The lists of one relationship, seen from the objects that have them.
package struct OrderedLists {
  /// By what they are known here.
  package let number: Int
  /// In the source.
  package let link: Link
  /// How the links are found in another store: the relationship, and whether it leads the other way.
  package let relationship: Property
  package let isReversed: Bool

  package init(number: Int, link: Link, relationship: Property, isReversed: Bool) {
    (self.number, self.link, self.relationship) = (number, link, relationship)
    self.isReversed = isReversed
  }

  /// What the lists are called by the objects that have them.
  package func relationship(in model: Model) -> Property {
    guard isReversed, link.relationship == relationship,
      let back = model.relationship(relationship), let inverse = back.inverse
    else { return link.relationship }
    return Property(back.destination, inverse)
  }

  /// The same lists in another store; `nil` where that has none, or in no order.
  package func link(in layout: Layout) -> Link? {
    guard let found = layout.link(relationship), !found.isReflexive else { return nil }
    let link = isReversed ? found.reversed(as: self.link.relationship) : found
    return link.position == nil ? nil : link
  }
}

/// A list of the destination that takes the source's order.
package struct TakenOrder {
  package let lists: OrderedLists
  /// The owner's key in either store.
  package let owner: Sided<Int64>

  package init(lists: OrderedLists, owner: Sided<Int64>) {
    (self.lists, self.owner) = (lists, owner)
  }
}
