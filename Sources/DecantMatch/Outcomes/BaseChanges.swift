internal import DecantBase
internal import DecantPlan
internal import DecantStore
package import DecantSQLite

/// The changes of two stores since their common ancestor, as needed for writing and verifying.
package final class BaseChanges {
  /// The properties that objects take from the source, by root entity; the others keep the destination's values.
  package var taken: [String: PropertyKeys] = [:]
  /// The many-to-many links that the destination removed and the source left unchanged.
  let removedLinks: RemovedLinks
  /// The many-to-many links that the source removed and the destination left unchanged.
  package let droppedLinks: RemovedLinks
  /// The objects of the source that are not added, as the destination removed them.
  package var away: [String: KeySet] = [:]
  /// The objects that the source removed and the destination left unchanged, by keys of the destination.
  package var dropped: [String: KeySet] = [:]
  /// The ordered lists that take the source's order.
  package var orders: [TakenOrder] = []

  /// The decided value for a property of an object of the source, by key, root entity and label, if conflicts are
  /// listed.
  package var decided: ((Int64, String, String) throws(SQLiteError) -> Binding?)?

  package init(_ removedLinks: RemovedLinks, _ droppedLinks: RemovedLinks) {
    (self.removedLinks, self.droppedLinks) = (removedLinks, droppedLinks)
  }
}

extension ColumnRole {
  /// The name for people: of an attribute, a relationship or a column.
  package var name: String {
    switch self {
    case .attribute(let property), .key(let property), .target(let property): property.name
    case .targetEntity(let property), .position(let property): property.name
    case .owner(let property), .ownerPosition(let property): property.name
    case .unnamed(let name): name
    case .revision: "revision"
    }
  }

  /// The name in the function `keeps`.
  package var label: String {
    switch self {
    case .attribute(let property), .key(let property), .target(let property):
      property.description
    case .targetEntity(let property), .position(let property): property.description
    case .owner(let property), .ownerPosition(let property): "owner \(property)"
    case .unnamed(let name): "column \(name)"
    case .revision: "revision"
    }
  }
}

extension LinkRelation {
  /// Returns the condition that a link of the source was removed in the destination since the common ancestor.
  package func isRemoved(_ owner: String, _ target: String) -> String {
    "removed_link(\(relationship.description.sqlText), \(owner), \(target))"
  }
}
