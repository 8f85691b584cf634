internal import DecantBase
internal import DecantPropertyList

/// The numbers of attribute types in Core Data archives.
enum ArchivedAttributeType {
  /// Returns the type of an archived attribute, or `nil` if its number is unknown.
  static func type(of node: KeyedArchive.Node) -> AttributeType? {
    var leafLimit = 1000
    return type(of: node, depth: 0, leafLimit: &leafLimit)
  }

  private static func type(of node: KeyedArchive.Node, depth: Int, leafLimit: inout Int) -> AttributeType? {
    switch node["NSAttributeType"]?.integer ?? 0 {
    case 0: .undefined
    case 100: .integer16
    case 200: .integer32
    case 300: .integer64
    case 400: .decimal
    case 500: .double
    case 600: .float
    case 700: .string
    case 800: .boolean
    case 900: .date
    case 1000: .binary
    case 1100: .uuid
    case 1200: .uri
    case 1800: .transformable
    case 2000: .objectID
    case 2100 where depth < 8:
      .composite(leaves(of: node, depth: depth, leafLimit: &leafLimit))
    default: nil
    }
  }

  /// Returns the leaf attributes of a composite attribute.
  ///
  /// No archive with one has been seen, so they are found by their class: the only attributes in a list of the archived
  /// object.
  private static func leaves(of node: KeyedArchive.Node, depth: Int, leafLimit: inout Int) -> [Attribute] {
    for key in node.keys {
      var leaves: [Attribute] = []
      for leaf in node[key]?.elements ?? node[key]?.entries?.map(\.value) ?? [] {
        leafLimit -= 1
        guard leafLimit > 0 else { return leaves }
        guard let name = leaf["NSPropertyName"]?.string, leaf["NSAttributeType"] != nil,
          let type = type(of: leaf, depth: depth + 1, leafLimit: &leafLimit)
        else { continue }
        leaves.append(
          Attribute(
            name: name,
            type: type,
            isOptional: leaf["NSIsOptional"]?.boolean ?? false,
            defaultValue: leaf["NSDefaultValue"].flatMap { DefaultValue.value(of: $0, type: type) },
            rules: ArchivedValueRules.rules(of: leaf, type: type)
          )
        )
      }
      if !leaves.isEmpty { return leaves }
    }
    return []
  }
}
