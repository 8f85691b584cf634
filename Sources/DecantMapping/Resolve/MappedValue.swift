internal import DecantBase
internal import DecantPlan
internal import DecantStore

/// The value of a destination column, for the objects of one source entity.
enum MappedValue: Sendable, Hashable {
  /// A source column, copied unchanged, including large values and references to files.
  case column(RelationColumn)
  /// An expression over the source's attribute names, in the canonical form of the destination's type.
  case expression(String)
  /// A generated identifier.
  case generated(Mapping.Generator)
  /// The key of the destination object of this root entity that a source object became.
  ///
  /// If `only` is given, the object must be of one of these entities.
  case link(LinkKey, sourceRoot: String, root: String, only: [String]?)

  /// The position in the list of the object that a link of the same object leads to.
  ///
  /// The order is that of an expression or of a source column; objects without a value come last, ordered by their
  /// keys.
  case place(RelationColumn?, by: String?)

  /// A source link, and the root entity of its target in the source.
  struct LinkEnd: Sendable, Hashable {
    let column: RelationColumn
    let sourceRoot: String

    /// The name of the link.
    var name: String {
      guard case .target(let property) = column.columnRole else { return column.name }
      return property.name
    }
  }

  /// The origin of the key of a link's target.
  enum LinkKey: Sendable, Hashable {
    case column(RelationColumn)
    /// The first of several links that has a target, each with the source's root entity of its targets.
    case first([LinkEnd])
    /// The source object itself, for another object made from it.
    case ownObject
    case expression(String)
    /// The object whose link leads here by this relationship of the destination, the other end of a one-to-one
    /// relationship.
    case backward(Property)
    /// The single object that links of this source relationship lead to, or with `isReversed` come from, wherever the
    /// source stores the links.
    case paired(Property, isReversed: Bool)
  }
}

/// Objects of one source entity that become objects of one destination entity.
struct MappedPart: Sendable, Hashable {
  /// The concrete entity of the destination.
  let entity: String
  /// The concrete entity of the source, and the root of its table.
  let source: String
  let sourceRoot: String
  /// The rule in the file; `nil` if only the names agree.
  let rule: Mapping.EntityRule?
  /// The condition for the objects, over the source's attribute names.
  var condition: String?
  /// The value of each destination column, by the role of the column.
  var values: [ColumnRole: MappedValue] = [:]
  /// The attributes and relationships of the source that are used.
  var used: Set<Property> = []
  /// The properties that the file fills from other source properties, so that the source's properties of these names
  /// are not covered by the rule; a constant would cover them.
  var displaced: Set<String> = []
}

/// The objects of a root entity of the destination.
struct MappedRoot: Sendable, Hashable {
  let root: String
  var parts: [MappedPart]

  /// Whether a source key may belong to two of the objects, so that they need keys of their own.
  var needsKeys: Bool {
    let sources = parts.map(\.source)
    return Set(parts.map(\.sourceRoot)).count > 1 || Set(sources).count < sources.count
  }
}

/// Links that both stores keep in separate tables.
struct MappedLinks: Sendable, Hashable {
  /// The relationship of the destination, which gives the direction of the rows.
  let relationship: Property
  let inverse: Property?
  let ownerRoot: String
  let targetRoot: String
  let isReflexive: Bool
  /// The entities at either end that do not drop the links; `nil` if all of the root's entities keep them.
  let owners: [String]?
  let targets: [String]?
  /// The source's tables, each read in the same direction.
  var sources: [LinkRelation]
}
