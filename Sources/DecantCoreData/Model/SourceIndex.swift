internal import DecantBase
internal import DecantXML

/// The indexes of an entity in the XML of an `.xcdatamodel`.
enum SourceIndex {
  /// Returns the index of a `fetchIndex` element; `nil` if it has no name.
  static func fetchIndex(_ element: XMLTree) -> FetchIndex? {
    let elements = element.children(named: "fetchIndexElement").map { part in
      FetchIndex.Element(
        subject(of: part),
        isAscending: part.attributes["order"] != "descending",
        isRange: part.attributes["type"] == "RTree"
      )
    }
    guard let name = element.attributes["name"], !elements.isEmpty else { return nil }
    // The form in which Xcode writes a condition is unknown, except for its attribute name.
    let isPartial = element.attributes.keys.contains { $0.lowercased().contains("predicate") }
    return FetchIndex(name: name, elements: elements, condition: isPartial ? .unknown : nil)
  }

  /// Returns the attributes of each compound index, as in old models.
  static func compoundIndexes(of entity: XMLTree) -> [[String]] {
    entity.children(named: "compoundIndexes").flatMap { $0.children(named: "compoundIndex") }
      .map { index in
        index.children(named: "index").compactMap { $0.attributes["value"] }
      }
  }

  private static func subject(of part: XMLTree) -> FetchIndex.Subject {
    if let property = part.attributes["property"] { return .property(property) }
    switch part.attributes["expression"] {
    case "self": return .object
    case "entity": return .entity
    default: return .unknown
    }
  }
}
