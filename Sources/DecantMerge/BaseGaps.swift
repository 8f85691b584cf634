internal import DecantBase
internal import DecantPlan
internal import DecantProof

/// The parts of the two stores that the base of a merge lacks, so that it cannot be used for them.
struct BaseGaps {
  /// Notes for the reader.
  let notes: [ReportNote]
  /// Whether the base lacks everything.
  let isWhole: Bool

  /// Finds the gaps in `comparison` of a store with its base.
  init(_ comparison: Comparison) {
    let (whole, shared) = (comparison.source.whole.model, comparison.source.model)
    isWhole = shared.entities.isEmpty && !whole.entities.isEmpty
    var entities: [String] = []
    var properties: [String] = []
    var links: [String] = []
    for entity in whole.entities {
      guard let known = shared[entity.name] else {
        entities.append(entity.name)
        continue
      }
      for attribute in entity.attributes
      where !attribute.isTransient
        && !known.attributes.contains(where: { $0.name == attribute.name })
        && !known.relationships.contains(where: { $0.name == attribute.name })
      {
        properties.append("\(entity.name).\(attribute.name)")
      }
      for relationship in entity.relationships
      where !relationship.isTransient && shared[relationship.destination] != nil
        && !known.relationships.contains(where: { $0.name == relationship.name })
      {
        let name = "\(entity.name).\(relationship.name)"
        if !relationship.isToMany {
          properties.append(name)
        } else if whole.inverse(of: relationship)?.isToMany != false {
          links.append(name)
        }
      }
    }
    let beginning = "“\(comparison.destination.identity.place)” is not a base for"
    func note(_ names: [String], _ rest: String) -> [ReportNote] {
      guard !names.isEmpty else { return [] }
      let more = names.count > 10 ? " and \(names.count - 10) more" : ""
      return [ReportNote(.ancestorLacks, "\(beginning) \(names.prefix(10).joined(separator: ", "))\(more): \(rest)")]
    }
    notes =
      note(entities, "their \(whole.terms.objects) are merged as if both stores had added them, and none is removed")
      + note(properties, "different values are conflicts")
      + note(links, "the links of both stores are kept")
  }
}
