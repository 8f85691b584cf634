package import DecantBase

extension Attribute {
  /// Whether a store has a column for it.
  package var isStored: Bool { !isTransient && type != .undefined }

  /// The attribute itself, or of a composite one all that it is composed of, each by its path: `address.street`.
  package var leaves: [Attribute] {
    guard case .composite(let parts) = type else { return [self] }
    return parts.flatMap(\.leaves).map { leaf in
      var leaf = leaf
      leaf.name = "\(name).\(leaf.name)"
      leaf.isTransient = leaf.isTransient || isTransient
      return leaf
    }
  }
}
