/// The lists of one relationship, seen from the objects that have them.
struct OrderedLists {
  /// By what they are known here.
  let number: Int
  /// In the source.
  let link: Link
  /// How the links are found in another store: the relationship, and whether it leads the other way.
  let relationship: Property
  let isReversed: Bool

  /// What the lists are called by the objects that have them.
  func relationship(in model: Model) -> Property {
    guard isReversed, link.relationship == relationship,
      let back = model.relationship(relationship), let inverse = back.inverse
    else { return link.relationship }
    return Property(back.destination, inverse)
  }

  /// The same lists in another store; `nil` where that has none, or in no order.
  func link(in layout: Layout) -> Link? {
    guard let found = layout.link(relationship), !found.isReflexive else { return nil }
    let link = isReversed ? found.reversed(as: self.link.relationship) : found
    return link.position == nil ? nil : link
  }
}

/// A list of the destination that takes the source's order.
struct TakenOrder {
  let lists: OrderedLists
  /// The owner's key in either store.
  let owner: Sided<Int64>
}
