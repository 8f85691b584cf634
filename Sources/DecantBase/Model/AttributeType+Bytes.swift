extension AttributeType {
  /// Whether values are opaque bytes, which are usually pictures.
  package var isBinary: Bool {
    switch self {
    case .binary, .transformable: true
    case .undefined, .integer16, .integer32, .integer64, .decimal, .double, .float, .string,
      .boolean, .date, .uuid, .uri, .objectID, .composite:
      false
    }
  }
}
