internal import DecantBase
internal import DecantPlan
internal import DecantStore
package import DecantSQLite

/// What two stores have changed since their common ancestor, as far as writing and proving has to know it.
package final class BaseChanges {
  /// The properties that objects take from the source, by root entity; the others stay as the destination has them.
  package var taken: [String: PropertyKeys] = [:]
  /// Links from many to many that the destination has removed, and the source left as they were.
  let removedLinks: RemovedLinks
  /// Links from many to many that the source has removed, and the destination left as they were.
  package let droppedLinks: RemovedLinks
  /// Objects of the source that stay away, as the destination has removed them.
  package var away: [String: KeySet] = [:]
  /// Objects that the source has removed, and the destination left as they were: keys of the destination.
  package var dropped: [String: KeySet] = [:]
  /// Ordered lists that take the source's order.
  package var orders: [TakenOrder] = []

  /// Finds the value that was decided on for a property of an object of the source, by key, root entity and label, where
  /// conflicts are listed.
  package var decided: ((Int64, String, String) throws(SQLiteError) -> Binding?)?

  package init(_ removedLinks: RemovedLinks, _ droppedLinks: RemovedLinks) {
    (self.removedLinks, self.droppedLinks) = (removedLinks, droppedLinks)
  }
}

extension ColumnRole {
  /// The name that a person knows: of an attribute, a relationship or a column.
  package var name: String {
    switch self {
    case .attribute(let property), .key(let property), .target(let property): property.name
    case .targetEntity(let property), .position(let property): property.name
    case .owner(let property), .ownerPosition(let property): property.name
    case .unnamed(let name): name
    case .revision: "revision"
    }
  }

  /// The name by which `keeps` knows it.
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
  /// The condition that a link of the source was removed in the destination since the common ancestor.
  package func isRemoved(_ owner: String, _ target: String) -> String {
    "removed_link(\(relationship.description.sqlText), \(owner), \(target))"
  }
}
