internal import DecantBase

/// A fault of a link other than a missing target.
enum LinkFault: Hashable, CaseIterable {
  /// The target has an entity that the relationship does not allow.
  case strayLink
  /// The entity stored with the key differs from that of the target, or has no key.
  case wrongTargetEntity
  /// The link in an ordered list has no position.
  case missingPosition

  /// Returns the problem of `count` such links of `relationship`.
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
