package import DecantBase

extension Attribute {
  /// Whether a store has a column for the attribute.
  package var isStored: Bool { !isTransient && type != .undefined }

  /// The attribute itself, or all leaves of a composite attribute, each named by its path: `address.street`.
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
