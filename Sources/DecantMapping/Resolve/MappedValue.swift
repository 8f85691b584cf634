internal import DecantBase
internal import DecantPlan
internal import DecantStore

/// What fills a column of the destination, over the objects of one entity of the source.
enum MappedValue: Sendable, Hashable {
  /// A column of the source as it is, large values and references to files included.
  case column(RelationColumn)
  /// An expression over the source's attribute names, in the canonical form of the destination's type.
  case expression(String)
  /// A made identifier.
  case generated(Mapping.Generator)
  /// The key of an object of the source that became one of this root entity of the destination; where `only`
  /// names some of its entities, one of these.
  case link(LinkKey, sourceRoot: String, root: String, only: [String]?)

  /// The place in the list of the object that a link of the same objects leads to: in the order that an expression says,
  /// or a column of the source has; behind these those for which there is none, by their keys.
  case place(RelationColumn?, by: String?)

  /// A link of the source, and the root entity of what it leads to there.
  struct LinkEnd: Sendable, Hashable {
    let column: RelationColumn
    let sourceRoot: String

    /// What the link is called.
    var name: String {
      guard case .target(let property) = column.columnRole else { return column.name }
      return property.name
    }
  }

  /// Where the key of a link's target comes from.
  enum LinkKey: Sendable, Hashable {
    case column(RelationColumn)
    /// The first of several that leads somewhere, each with the source's root entity that it leads to.
    case first([LinkEnd])
    /// The object itself: what else was made of it.
    case ownObject
    case expression(String)
    /// The object whose link leads here, by this relationship of the destination: the other end of one to one.
    case backward(Property)
    /// The one object that links of this relationship of the source lead to, or with `isReversed` come from, wherever the
    /// source keeps them.
    case paired(Property, isReversed: Bool)
  }
}

/// Objects of one entity of the source that become objects of one entity of the destination.
struct MappedPart: Sendable, Hashable {
  /// The concrete entity of the destination.
  let entity: String
  /// The concrete entity of the source, and the root of its table.
  let source: String
  let sourceRoot: String
  /// What the file says of it; `nil` where the names alone agree.
  let rule: Mapping.EntityRule?
  /// The condition that objects meet, over the source's attribute names.
  var condition: String?
  /// What fills each column of the destination, by the role of the column.
  var values: [ColumnRole: MappedValue] = [:]
  /// Attributes and relationships of the source that something is made of.
  var used: Set<Property> = []
  /// What the file fills with something that it reads: of the source's properties of these names it says nothing by
  /// that, as it would with a constant.
  var displaced: Set<String> = []
}

/// The objects of a root entity of the destination.
struct MappedRoot: Sendable, Hashable {
  let root: String
  var parts: [MappedPart]

  /// Whether a key of the source may stand for two of the objects, so that they need keys of their own.
  var needsKeys: Bool {
    let sources = parts.map(\.source)
    return Set(parts.map(\.sourceRoot)).count > 1 || Set(sources).count < sources.count
  }
}

/// Links that both stores keep in tables of their own.
struct MappedLinks: Sendable, Hashable {
  /// The relationship of the destination, in whose direction the rows are read.
  let relationship: Property
  let inverse: Property?
  let ownerRoot: String
  let targetRoot: String
  let isReflexive: Bool
  /// The entities of either end that do not drop the links; `nil` where all of the root's keep them.
  let owners: [String]?
  let targets: [String]?
  /// The source's tables, each read in the same direction.
  var sources: [LinkRelation]
}
