internal import DecantBase
internal import DecantMatch
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// Finds the directions of all links, and the default rule of each.
///
/// The defaults follow from delete rules and required links; see <doc:CLI>.
struct ClosurePaths {
  let model: Model
  let layout: Layout
  /// The schema name under which the store is attached.
  let schema: String
  let tables: ClosureTables

  /// All directions, in the order of the layout.
  var all: [LinkPath] {
    let columns = layout.relations.flatMap { relation in
      relation.columns.flatMap { paths(of: $0, in: relation) }
    }
    let tables = layout.linkRelations.flatMap { paths(of: $0) }
    let values = (layout.nonIntegerKeys + layout.partialLinks).flatMap { paths(of: $0) }
    return columns + tables + values
  }

  /// One of the two directions of a link: its traits, and where its links are stored.
  private typealias End = (traits: LinkTraits, rows: [LinkRows])
  private typealias Traits = (forward: LinkTraits, backward: LinkTraits)

  /// Returns both directions of the links of a relationship.
  ///
  /// - Parameters:
  ///   - property: The relationship.
  ///   - inverse: The inverse relationship; `nil` if that direction has no name.
  ///   - roots: The root entities of both ends.
  ///   - there: The relationship's own direction.
  ///   - back: The other direction.
  ///   - isWithinObject: Whether the rows at both ends are one object.
  ///   - reason: Why the rule of the relationship's own direction cannot be changed.
  /// - Returns: Two paths.
  private func paths(
    of property: Property,
    inverse: Property? = nil,
    _ roots: (from: String, to: String),
    _ there: End,
    _ back: End,
    isWithinObject: Bool = false,
    reason: String? = nil
  ) -> [LinkPath] {
    let unnamed = LinkDirection(property, isInverse: true)
    return [
      LinkPath(
        name: LinkDirection(property),
        from: roots.from,
        to: roots.to,
        rule: there.traits.rule,
        isToParts: there.traits.isToParts,
        isToOwner: back.traits.takesAlong && !there.traits.takesAlong,
        isWithinObject: isWithinObject,
        reason: reason,
        rows: there.rows
      ),
      LinkPath(
        name: inverse.map { LinkDirection($0) } ?? unnamed,
        aliases: inverse == nil ? [] : [unnamed],
        from: roots.to,
        to: roots.from,
        rule: back.traits.rule,
        isToParts: back.traits.isToParts,
        isToOwner: there.traits.takesAlong && !back.traits.takesAlong,
        isWithinObject: isWithinObject,
        rows: back.rows
      ),
    ]
  }

  /// Returns the traits of a to-many relationship.
  private func traitsToMany(_ property: Property) -> LinkTraits {
    let relationship = model.relationship(property)
    return LinkTraits(
      isToMany: true,
      isRequired: relationship.map { !$0.isOptional } ?? false,
      takesAlong: relationship?.deleteRule == .cascade
    )
  }

  // MARK: Links in a column

  private func paths(of column: RelationColumn, in relation: Relation) -> [LinkPath] {
    guard let target = column.targetRoot, let own = tables.rows(of: relation.root),
      layout.relation(of: target) != nil
    else { return [] }
    let away = rows(from: own.number(of: "r"), to: relation.value(of: column, in: "r"), own)
    let back = backRows(to: column, own)
    switch column.columnRole {
    case .target(let property):
      let ends = ends(of: property, column)
      let both = paths(
        of: property,
        inverse: ends.inverse,
        (relation.root, target),
        (ends.traits.forward, away),
        (ends.traits.backward, back)
      )
      return ends.hasOwnColumn ? [both[0]] : both
    case .owner(let property):
      return paths(of: property, (target, relation.root), (traitsToMany(property), back), (.stopped, away))
    case .key(let property):
      return paths(
        of: property,
        (relation.root, target),
        (LinkTraits(isRequired: true), away),
        (LinkTraits(isRequired: true), back),
        isWithinObject: true,
        reason: "it is the key of \(relation.root), whose objects can only be copied together with its target"
      )
    case .attribute, .targetEntity, .position, .ownerPosition, .unnamed, .revision: return []
    }
  }

  private func rows(from: String, to: String, _ own: ObjectRows) -> [LinkRows] {
    guard own.areKnown else { return [] }
    let source = own.source(as: "r")
    return [LinkRows(tables: source, scan: source, from: from, to: to)]
  }

  /// Returns the rows of `own`, found by the object that `column` refers to.
  private func backRows(to column: RelationColumn, _ own: ObjectRows) -> [LinkRows] {
    let relation = own.relation
    let from =
      column.holdsLooseIntegers || column.isConditional
      ? relation.value(of: column, in: "r") : column.name.sqlName(in: "r")
    var rows = rows(from: from, to: own.number(of: "r"), own)
    if let codes = column.onlyIn, let entity = relation.entityCode(in: "r") {
      // The plus keeps SQLite from using an index on the entity, which would find too many rows.
      for index in rows.indices { rows[index].conditions = ["+(\(entity)) IN (\(codes.list))"] }
    }
    return rows
  }

  /// Returns the traits of both directions of a to-one relationship, its inverse, if any, and whether the inverse has a
  /// column of its own, as in a one-to-one relationship.
  private func ends(of property: Property, _ column: RelationColumn)
    -> (traits: Traits, inverse: Property?, hasOwnColumn: Bool)
  {
    guard !model.isFromTables, let relationship = model.relationship(property) else {
      return (traits(isRequired: column.isRequired, isOwned: column.isOwned), nil, false)
    }
    let inverse = model.inverse(of: relationship)
    let back = model.inverseProperty(of: relationship)
    let forward = LinkTraits(isRequired: !relationship.isOptional, takesAlong: relationship.deleteRule == .cascade)
    let backward = LinkTraits(
      isToMany: inverse?.isToMany ?? true,
      isRequired: inverse.map { !$0.isToMany && !$0.isOptional } ?? false,
      takesAlong: inverse?.deleteRule == .cascade
    )
    let hasOwnColumn = layout.relations.contains { relation in
      back.map { relation.column(.target($0)) != nil } ?? false
    }
    return ((forward, backward), back, hasOwnColumn)
  }

  /// Returns the traits of both directions of a link that is known only from tables.
  private func traits(isRequired: Bool, isOwned: Bool) -> Traits {
    (
      LinkTraits(isRequired: isRequired, isTakenAlong: isOwned, isFromTables: true),
      LinkTraits(isToMany: true, takesAlong: isOwned, isFromTables: true)
    )
  }

  // MARK: Links in a table of their own

  private func paths(of links: LinkRelation) -> [LinkPath] {
    let there = rows(of: links, from: links.ownerColumn, to: links.targetColumn)
    let back = rows(of: links, from: links.targetColumn, to: links.ownerColumn)
    let traits = traitsToMany(links.relationship)
    var both = paths(
      of: links.relationship,
      inverse: links.inverse,
      (links.ownerRoot, links.targetRoot),
      // If the relationship is its own inverse, a row represents a pair without direction.
      (traits, links.isReflexive ? [there, back] : [there]),
      (links.inverse.map { traitsToMany($0) } ?? .stopped, [back])
    )
    if links.isReflexive { both.removeLast() }
    return both
  }

  private func rows(of links: LinkRelation, from: String, to: String) -> LinkRows {
    let table = "\(links.sqlTable(in: schema)) AS r"
    return LinkRows(
      tables: table,
      scan: table,
      from: from.sqlName(in: "r"),
      to: to.sqlName(in: "r"),
      conditions: links.condition.map { ["(\($0))"] } ?? []
    )
  }

  // MARK: Links by values

  private func paths(of link: NonIntegerKey) -> [LinkPath] {
    guard let own = tables.rows(of: link.root), let other = tables.rows(of: link.targetRoot) else {
      return []
    }
    var traits = traits(isRequired: link.isRequired, isOwned: link.isOwned)
    let isPartial = layout.partialLinks.contains(link)
    if isPartial { traits.forward.isRequired = true }
    return paths(
      of: link.relationship,
      (link.root, link.targetRoot),
      (traits.forward, rows(of: link, own, other)),
      (traits.backward, rows(of: link, own, other, isInverse: true)),
      reason: isPartial
        ? "it spans several columns or a key column, and cannot be set to null"
        : nil
    )
  }

  private func rows(
    of link: NonIntegerKey,
    _ own: ObjectRows,
    _ other: ObjectRows,
    isInverse: Bool = false
  ) -> [LinkRows] {
    guard own.areKnown, other.areKnown else { return [] }
    let (start, end) = (own.source(as: "r"), other.source(as: "p"))
    let numbers = [own.number(of: "r"), other.number(of: "p")]
    return [
      LinkRows(
        tables: isInverse ? "\(end) CROSS JOIN \(start)" : "\(start) CROSS JOIN \(end)",
        // The columns on the target side have an index, otherwise they could not be referenced.
        scan: "\(start) CROSS JOIN \(end)",
        from: numbers[isInverse ? 1 : 0],
        to: numbers[isInverse ? 0 : 1],
        conditions: link.conditions(holder: "r", target: "p")
      )
    ]
  }
}
