internal import DecantBase
internal import DecantPlan

extension ModelDiagram {
  /// The graph in the language of Mermaid, as a class diagram, which Markdown pages can show.
  public var mermaid: String {
    var lines = ["classDiagram", "  direction LR"]
    for (place, entity) in entities.enumerated() {
      let name = ModelDiagram.escaped("\(entity.name), \(count(of: entity))")
      lines.append("  class e\(place)[\"\(name)\"]")
    }
    for (place, entity) in entities.enumerated() {
      guard let parent = entity.superentity.flatMap({ places[$0] }) else { continue }
      lines.append("  e\(parent) <|-- e\(place)")
    }
    for edge in edges {
      let label = ModelDiagram.escaped(words(of: edge).joined(separator: ", "))
      let back = edge.backward.map { "\"\(ModelDiagram.number($0.relationship))\" " } ?? ""
      let head = ModelDiagram.number(edge.forward.relationship)
      lines.append(
        "  e\(edge.source) \(back)\(edge.backward == nil ? "-->" : "--") \"\(head)\" e\(edge.destination) : \(label)"
      )
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func number(_ relationship: ModelRelationship) -> String {
    switch (relationship.isToMany, relationship.isOptional) {
    case (true, true): "*"
    case (true, false): "1..*"
    case (false, true): "0..1"
    case (false, false): "1"
    }
  }

  /// Returns `text` for display by Mermaid: any character that may have a meaning there becomes a numeric reference.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in HTMLText.plain(text).unicodeScalars {
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", " ", "_", ".", ",", "(", ")":
        result.unicodeScalars.append(scalar)
      case _ where scalar.value < 0x20: result += " "
      case _ where scalar.value >= 0x80 && scalar.properties.isAlphabetic:
        result.unicodeScalars.append(scalar)
      default: result += "#\(scalar.value);"
      }
    }
    return result
  }
}

// The content common to both languages.
extension ModelDiagram {
  /// Returns the number of objects of exactly the entity, in words.
  func count(of entity: EntityInspection) -> String {
    entity.isAbstract && entity.objectCount == 0 ? "abstract" : entity.objectCount.counted(objectNoun)
  }

  /// Returns the label of an edge: both ends with the effect of deleting an object on the objects there, and the links.
  func words(of edge: Edge) -> [String] {
    let links = edge.linkCount.counted("link") + (edge.danglingCount > 0 ? ", \(edge.danglingCount) dangling" : "")
    let ends = [(entities[edge.source].name, edge.forward)] + (edge.backward.map { [(edge.backwardOwner, $0)] } ?? [])
    return ends.map { owner, end in
      let traits =
        (knowsDeleteRules ? [end.relationship.deleteRule.rawValue] : [])
        + (end.relationship.isOrdered ? ["ordered"] : [])
      return "\(owner).\(end.relationship.name)" + (traits.isEmpty ? "" : " (\(traits.joined(separator: ", ")))")
    } + [links]
  }
}
