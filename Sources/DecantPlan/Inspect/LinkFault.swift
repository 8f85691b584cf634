internal import DecantBase

/// What may be wrong with a link besides that it leads nowhere.
enum LinkFault: Hashable, CaseIterable {
  /// The object at the other end is of an entity that the relationship does not lead to.
  case strayLink
  /// The entity noted beside the key is not that of the object, or is noted without a key.
  case wrongTargetEntity
  /// The link has no place in a list that is ordered.
  case missingPosition

  /// The problem of `count` such links of `relationship`.
  func problem(_ count: Int64, of relationship: Property) -> StoreProblem {
    let (kind, text): (StoreProblem.Kind, String) =
      switch self {
      case .strayLink:
        (.strayLinks, "\(count.counted("link")) to an object of the wrong entity")
      case .wrongTargetEntity:
        (.wrongTargetEntity, "\(count.counted("object")) with the wrong entity number next to the key")
      case .missingPosition:
        (.missingPositions, "\(count.counted("link")) without a position in the ordered list")
      }
    return StoreProblem(kind, subject: relationship.description, count: count, text: "\(relationship): \(text)")
  }
}
