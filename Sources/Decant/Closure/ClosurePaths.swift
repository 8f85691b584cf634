internal import SQLite

/// Finds the directions in which links lead, and what is taken along each unless somebody says otherwise.
///
/// The defaults come from delete rules and from what must not be empty; <doc:CLI> tells them.
struct ClosurePaths {
  let model: Model
  let layout: Layout
  /// The name under which the store is attached.
  let schema: String

  /// All directions, in the order of the layout.
  var all: [LinkPath] {
    let columns = layout.relations.flatMap { relation in
      relation.columns.flatMap { paths(of: $0, in: relation) }
    }
    let tables = layout.linkRelations.flatMap { paths(of: $0) }
    let values = (layout.valueLinks + layout.partialLinks).flatMap { paths(of: $0) }
    return columns + tables + values
  }

  /// The objects of `root`; `nil` where the store has no place for them.
  func rows(of root: String) -> ObjectRows? {
    layout.relations.firstIndex { $0.root == root }.map {
      ObjectRows(layout.relations[$0], schema: schema, place: $0)
    }
  }

  // MARK: Links in a column

  private func paths(of column: RelationColumn, in relation: Relation) -> [LinkPath] {
    guard let target = column.targetRoot, let own = rows(of: relation.root),
      layout.relation(of: target) != nil
    else { return [] }
    let away = self.rows(from: own.number(of: "r"), to: relation.value(of: column, in: "r"), own)
    let back = backRows(to: column, own)
    switch column.meaning {
    case .target(let property):
      let ends = ends(of: property, column)
      let there = LinkPath(
        name: LinkDirection(property),
        from: relation.root,
        to: target,
        rule: ends.forward.rule,
        rows: away
      )
      guard ends.hasOwnColumn == false else { return [there] }
      return [
        there,
        LinkPath(
          name: ends.inverse.map { LinkDirection($0) } ?? LinkDirection(property, isInverse: true),
          aliases: ends.inverse == nil ? [] : [LinkDirection(property, isInverse: true)],
          from: target,
          to: relation.root,
          rule: ends.backward.rule,
          rows: back
        ),
      ]
    case .owner(let property):
      let relationship = model.relationship(property)
      let traits = LinkTraits(
        isToMany: true,
        isRequired: relationship.map { !$0.isOptional } ?? false,
        takesAlong: relationship?.deleteRule == .cascade
      )
      return [
        LinkPath(
          name: LinkDirection(property),
          from: target,
          to: relation.root,
          rule: traits.rule,
          rows: back
        ),
        LinkPath(
          name: LinkDirection(property, isInverse: true),
          from: relation.root,
          to: target,
          rule: .stop,
          rows: away
        ),
      ]
    case .key(let property):
      return [
        LinkPath(
          name: LinkDirection(property),
          from: relation.root,
          to: target,
          rule: .follow,
          reason: "it is the key of \(relation.root), which goes only where what it leads to goes",
          rows: away
        ),
        LinkPath(
          name: LinkDirection(property, isInverse: true),
          from: target,
          to: relation.root,
          rule: .follow,
          rows: back
        ),
      ]
    case .attribute, .targetEntity, .position, .ownerPosition, .unnamed, .revision: return []
    }
  }

  private func rows(from: String, to: String, _ own: ObjectRows) -> [LinkRows] {
    guard own.areKnown else { return [] }
    let source = own.source(as: "r")
    return [LinkRows(tables: source, scan: source, from: from, to: to)]
  }

  /// The rows of `own`, found by the object that `column` leads to.
  private func backRows(to column: RelationColumn, _ own: ObjectRows) -> [LinkRows] {
    let relation = own.relation
    var rows = rows(
      from: column.name.sqlName(in: "r"),
      to: own.number(of: "r"),
      own
    )
    for index in rows.indices {
      if column.holdsLooseIntegers {
        rows[index].from = relation.value(of: column, in: "r")
      }
      guard let codes = column.onlyIn, let entity = relation.entityCode(in: "r") else { continue }
      // The plus keeps SQLite from an index on the entity, which would find too many.
      rows[index].conditions = ["+(\(entity)) IN (\(codes.list))"]
    }
    return rows
  }

  /// What is known of both directions of a to-one relationship.
  private struct Ends {
    var forward: LinkTraits
    var backward: LinkTraits
    /// The relationship that leads back, where there is one.
    var inverse: Property?
    /// Whether that one has a column of its own, as of two objects that have one another.
    var hasOwnColumn: Bool
  }

  private func ends(of property: Property, _ column: RelationColumn) -> Ends {
    guard !model.isFromTables, let relationship = model.relationship(property) else {
      return Ends(
        forward: LinkTraits(
          isRequired: column.isRequired,
          isTakenAlong: column.isOwned,
          isFromTables: true
        ),
        backward: LinkTraits(isToMany: true, takesAlong: column.isOwned, isFromTables: true),
        inverse: nil,
        hasOwnColumn: false
      )
    }
    let inverse = model.inverse(of: relationship)
    let back = model.inverseProperty(of: relationship)
    return Ends(
      forward: LinkTraits(
        isRequired: !relationship.isOptional,
        takesAlong: relationship.deleteRule == .cascade
      ),
      backward: LinkTraits(
        isToMany: inverse?.isToMany ?? true,
        isRequired: inverse.map { !$0.isToMany && !$0.isOptional } ?? false,
        takesAlong: inverse?.deleteRule == .cascade
      ),
      inverse: back,
      hasOwnColumn: back.map { back in
        layout.relations.contains { $0.column(.target(back)) != nil }
      } ?? false
    )
  }

  // MARK: Links in a table of their own

  private func paths(of links: LinkRelation) -> [LinkPath] {
    let there = path(of: links, named: LinkDirection(links.relationship))
    guard !links.isReflexive else {
      // A row stands for a pair without direction.
      var both = there
      both.rows += rows(of: links, from: links.targetColumn, to: links.ownerColumn)
      return [both]
    }
    let back = links.reversed ?? unnamedInverse(of: links)
    var path = path(
      of: back,
      named: links.inverse.map { LinkDirection($0) }
        ?? LinkDirection(links.relationship, isInverse: true)
    )
    if links.inverse == nil {
      path.rule = .stop
    } else {
      path.aliases = [LinkDirection(links.relationship, isInverse: true)]
    }
    return [there, path]
  }

  /// The same links seen from the other end, which has no name for them.
  private func unnamedInverse(of links: LinkRelation) -> LinkRelation {
    LinkRelation(
      relationship: links.relationship,
      inverse: nil,
      table: links.table,
      ownerColumn: links.targetColumn,
      targetColumn: links.ownerColumn,
      ownerRoot: links.targetRoot,
      targetRoot: links.ownerRoot
    )
  }

  private func path(of links: LinkRelation, named name: LinkDirection) -> LinkPath {
    let relationship = model.relationship(links.relationship)
    let traits = LinkTraits(
      isToMany: true,
      isRequired: relationship.map { !$0.isOptional } ?? false,
      takesAlong: relationship?.deleteRule == .cascade
    )
    return LinkPath(
      name: name,
      from: links.ownerRoot,
      to: links.targetRoot,
      rule: traits.rule,
      rows: rows(of: links, from: links.ownerColumn, to: links.targetColumn)
    )
  }

  private func rows(of links: LinkRelation, from: String, to: String) -> [LinkRows] {
    let table = "\(links.sqlTable(in: schema)) AS r"
    return [
      LinkRows(
        tables: table,
        scan: table,
        from: from.sqlName(in: "r"),
        to: to.sqlName(in: "r"),
        conditions: links.condition.map { ["(\($0))"] } ?? []
      )
    ]
  }

  // MARK: Links by values

  private func paths(of link: ValueLink) -> [LinkPath] {
    guard let own = rows(of: link.root), let other = rows(of: link.targetRoot) else { return [] }
    let forward = LinkTraits(
      isRequired: link.isRequired,
      isTakenAlong: link.isOwned,
      isFromTables: true
    )
    let backward = LinkTraits(isToMany: true, takesAlong: link.isOwned, isFromTables: true)
    let isPartial = layout.partialLinks.contains(link)
    return [
      LinkPath(
        name: LinkDirection(link.relationship),
        from: link.root,
        to: link.targetRoot,
        rule: isPartial ? .follow : forward.rule,
        reason: isPartial
          ? "it is made of several columns, or of one that holds another row's key, and cannot be cut"
          : nil,
        rows: rows(of: link, own, other)
      ),
      LinkPath(
        name: LinkDirection(link.relationship, isInverse: true),
        from: link.targetRoot,
        to: link.root,
        rule: backward.rule,
        rows: rows(of: link, own, other, isInverse: true)
      ),
    ]
  }

  private func rows(
    of link: ValueLink,
    _ own: ObjectRows,
    _ other: ObjectRows,
    isInverse: Bool = false
  ) -> [LinkRows] {
    guard own.areKnown, other.areKnown else { return [] }
    let same = zip(link.columns, link.targetColumns).map { column, target in
      // The collation is that of the column on the left, as in a foreign key.
      "\(target.sqlName(in: "p")) = \(column.sqlName(in: "r"))"
    }
    let (start, end) = (own.source(as: "r"), other.source(as: "p"))
    let numbers = [own.number(of: "r"), other.number(of: "p")]
    return [
      LinkRows(
        tables: isInverse ? "\(end) CROSS JOIN \(start)" : "\(start) CROSS JOIN \(end)",
        // What is led to has an index on these columns, or it could not be led to.
        scan: "\(start) CROSS JOIN \(end)",
        from: numbers[isInverse ? 1 : 0],
        to: numbers[isInverse ? 0 : 1],
        conditions: same
      )
    ]
  }
}
