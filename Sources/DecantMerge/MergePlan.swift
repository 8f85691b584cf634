package import DecantBase
package import DecantMatch
package import DecantPlan
package import DecantStore
internal import DecantSQLite

/// Turns the plan of a copy into that of a merge.
extension CopyPlan {
  /// Makes every step write only new rows, after the existing ones.
  ///
  /// - Parameters:
  ///   - destination: The layout of the destination.
  ///   - source: The layout of the source, attached as `source`.
  ///   - counters: The highest key that the destination had allocated before, for each root entity.
  ///   - ids: The ID table, which says which objects are new.
  ///   - derived: The attributes that the destination derives from others.
  ///   - lastLinks: The number of the last row before, for each table of ordered links.
  ///   - uniqueLinks: The link tables that have a key of both ends.
  ///   - isIntoNothing: Whether the destination has no objects yet, so that only source objects can be duplicates.
  package mutating func merge(
    into destination: Layout,
    from source: Layout,
    above counters: [String: Int64],
    ids: IDTable,
    derived: Set<String>,
    lastLinks: [String: Int64],
    uniqueLinks: Set<String>,
    isIntoNothing: Bool = false
  ) {
    joinsObjects =
      !isIntoNothing || ids.hasJoined(anyOf: steps.compactMap(\.objectsRoot))
    guard joinsObjects else { return }
    for index in steps.indices {
      switch steps[index].kind {
      case .objects(let root):
        steps[index].isMerging = true
        // They are derived from the final contents.
        for position in steps[index].assignments.indices {
          let column = destination.relation(of: root)?
            .column(of: steps[index].assignments[position])
          guard case .attribute(let property) = column?.columnRole,
            derived.contains(property.description)
          else { continue }
          steps[index].assignments[position].proof = nil
        }
        guard let here = source.relation(of: root), let there = destination.relation(of: root)
        else {
          continue
        }
        steps[index].append(here, there, above: counters, ids)
        if let matchedObjects = ids.map(of: root)?.matchedObjects {
          let keys = (written: "r._id", proven: steps[index].sourceKey)
          steps[index].tellApart(matchedObjects, root, keys)
        }
      case .links(let links):
        let table = steps[index].table
        guard !isIntoNothing else {
          steps[index].joinLinks(links, ids)
          continue
        }
        steps[index].mergeLinks(links, after: lastLinks[table], isUnique: uniqueLinks.contains(table), ids)
        if ids.baseChanges != nil {
          steps[index].endConditions.append("NOT \(links.isRemoved("r._owner", "r._target"))")
        }
      case .unkeyed(let root, _):
        if !isIntoNothing { steps[index].mergeRows(root, ids) }
      case .rows: continue
      }
    }
  }
}

extension CopyPlan {
  /// Sets the columns that identify rows without integer keys: the declared ones, or otherwise those of a constraint in
  /// the model.
  package mutating func setIdentities(_ rules: MergeRules, _ model: Model, _ layout: Layout) {
    for index in steps.indices {
      guard case .unkeyed(let root, let key) = steps[index].kind else { continue }
      let names =
        rules.identities[root]
        ?? (key.isEmpty ? model[root]?.uniquenessConstraints.first ?? [] : key)
      steps[index].identityColumns = Set(names)
      for column in layout.relation(of: root)?.columns ?? [] {
        steps[index].foldings[column.name] = column.foldingFunction
      }
      let rule = rules.rule(of: root, in: model)
      steps[index].rowRule = rule
      guard rule.policy == .newest, let time = rules.time(of: root, in: model) else { continue }
      steps[index].rowTime = layout.relation(of: root)?.column(.attribute(time))?.name
    }
  }
}

extension CopyStep {
  /// Gives new objects in ordered lists of matched objects positions after the existing ones.
  fileprivate mutating func append(
    _ here: Relation,
    _ there: Relation,
    above counters: [String: Int64],
    _ ids: IDTable
  ) {
    let counter = counters[here.root] ?? Int64.min
    let relation = SourceRelation(relation: here, schema: CopySession.source)
    for index in assignments.indices {
      let column = there.column(of: assignments[index])
      guard let column, let link = column.columnRole.listLink, let from = here.column(link),
        let to = there.column(link),
        let own = here.column(column.columnRole)
      else { continue }
      let root = (from.targetRoot ?? here.root).sqlText
      let value = "r.\(relation.name(of: from).sqlName)"
      let lists = CopyStep.Lists(
        source: (sourceTable, from.name.sqlName, own.name.sqlName),
        destination: ("\(CopyStep.written).\(table.sqlName)", to.name.sqlName, column.name.sqlName),
        condition: "d.\(keyColumn.sqlName) <= \(counter)"
      )
      let isJoined = ids.hasJoined(anyOf: [from.targetRoot ?? here.root])
      func shift(_ key: String, _ fromBeginning: Int) -> String {
        isJoined
          ? " + list_shift(\(root), \(key), \("\(here.table).\(own.name)".sqlText), \(fromBeginning))"
          : ""
      }
      let place = "\(assignments[index].expression)"
      assignments[index].expression = """
        CASE WHEN is_there(\(root), \(value)) \
        THEN \(lists.behind(place, key: value, image: "id(\(root), \(value))"))\
        \(shift(value, 1)) ELSE \(place)\(shift(value, 0)) END
        """
      // Among existing objects the position is different, but the order is the same.
      guard let proof = assignments[index].proof else { continue }
      let expected = here.value(of: from)
      assignments[index].proof?.expected =
        "CASE WHEN NOT is_there(\(root), \(expected)) "
        + "THEN \(proof.expected)\(shift(expected, 0)) END"
      let target = counters[from.targetRoot ?? here.root] ?? Int64.min
      assignments[index].proof?.actual =
        "CASE WHEN \(there.value(of: to)) > \(target) THEN \(proof.actual) END"
    }
  }

  /// Gives objects that are kept as copies other values, by their numbers.
  ///
  /// - Parameters:
  ///   - matchedObjects: The copies, and the columns in which they differ from their originals.
  ///   - root: Their root entity.
  ///   - keys: The expression for an object's key in the copy, and over the source's table.
  fileprivate mutating func tellApart(
    _ matchedObjects: MatchedObjects,
    _ root: String,
    _ keys: (written: String, proven: String)
  ) {
    guard matchedObjects.keptCopies?.count ?? 0 > 0 else { return }
    tellApart(matchedObjects.distinctColumns, "copy_number", root, keys)
    tellApart(matchedObjects.titleColumns, "copy_title", root, keys)
  }

  /// Gives them other values in `columns`, by the number that `function` returns.
  private mutating func tellApart(
    _ columns: [String],
    _ function: String,
    _ root: String,
    _ keys: (written: String, proven: String)
  ) {
    func another(_ value: SQLExpression, _ key: String) -> SQLExpression {
      let number = "\(function)(\(root.sqlText), \(key))"
      return "CASE WHEN \(number) IS NULL THEN \(value) ELSE another(\(value), \(number)) END"
    }
    for index in assignments.indices where columns.contains(assignments[index].column) {
      assignments[index].expression = another(assignments[index].expression, keys.written)
      guard let expected = assignments[index].proof?.expected else { continue }
      assignments[index].proof?.expected = another(SQLExpression(expected), keys.proven).description
    }
  }

  /// Makes the step write only link rows that do not exist yet.
  ///
  /// New ones come after the row `last` of the table.
  fileprivate mutating func mergeLinks(_ links: LinkRelation, after last: Int64?, isUnique: Bool, _ ids: IDTable) {
    let ends = [("_owner", links.ownerRoot), ("_target", links.targetRoot)]
    let images = ends.map { "id(\($1.sqlText), r.\($0))" }
    let columns = assignments.prefix(2).map { "d.\($0.column.sqlName)" }
    guard columns.count == 2 else { return }
    isMerging = true
    isAnonymous = false
    settlePlaces(links, ids)
    var there = zip(columns, images).map { "\($0) = \($1)" }.joined(separator: " AND ")
    if links.isReflexive {
      there += " OR \(columns[0]) = \(images[1]) AND \(columns[1]) = \(images[0])"
    }
    presence =
      "is_there(\(ends[0].1.sqlText), r._owner) AND is_there(\(ends[1].1.sqlText), r._target) "
      + "AND EXISTS (SELECT 1 FROM \(CopyStep.written).\(table.sqlName) AS d WHERE \(there))"
    endConditions = images.map { "\($0) IS NOT NULL" }
    let closed = closedConditions(zip(assignments, images).map { ($0.column, $1) })
    endConditions += closed.map { "NOT \($0)" }
    // The table's key rejects existing rows, unless they may be stored in the other direction.
    if let presence, links.isReflexive || !isUnique { endConditions.append("NOT (\(presence))") }
    for index in assignments.indices {
      guard case .place(inListOf: let end) = assignments[index].role else { continue }
      let places = end == 0 ? links.positionColumn : links.inversePositionColumn
      let owners = [links.ownerColumn, links.targetColumn]
      let lists = Lists(
        source: (sourceTable, owners[end].sqlName, (places ?? "").sqlName),
        destination: (
          "\(CopyStep.written).\(table.sqlName)", assignments[end].column.sqlName,
          assignments[index].column.sqlName
        ),
        condition: last.map { "d.\(keyColumn) <= \($0)" } ?? "1"
      )
      let key = "r.\(ends[end].0)"
      let place = "\(assignments[index].expression)"
      assignments[index].expression = """
        CASE WHEN is_there(\(ends[end].1.sqlText), \(key)) \
        THEN \(lists.behind(place, key: key, image: images[end]))\
        \(shift(links, end, fromBeginning: true, ids)) \
        ELSE \(place)\(shift(links, end, fromBeginning: false, ids)) END
        """
    }
  }

  /// Makes the step write link rows once if source objects are joined.
  fileprivate mutating func joinLinks(_ links: LinkRelation, _ ids: IDTable) {
    guard ids.hasJoined(anyOf: [links.ownerRoot, links.targetRoot]) else { return }
    isMerging = true
    isAnonymous = false
    settlePlaces(links, ids)
    for index in assignments.indices {
      guard case .place(inListOf: let end) = assignments[index].role else { continue }
      let shift = shift(links, end, fromBeginning: false, ids)
      assignments[index].expression = "\(assignments[index].expression)\(shift)"
    }
  }

  /// Returns the offset added to a position in the list of the owner, 0, or the target, 1, of a link row.
  private func shift(_ links: LinkRelation, _ end: Int, fromBeginning: Bool, _ ids: IDTable) -> String {
    let column = end == 0 ? links.positionColumn : links.inversePositionColumn
    let (root, key) = end == 0 ? (links.ownerRoot, "r._owner") : (links.targetRoot, "r._target")
    guard let column, ids.hasJoined(anyOf: [root]) else { return "" }
    return
      " + list_shift(\(root.sqlText), \(key), \("\(links.table).\(column)".sqlText), \(fromBeginning ? 1 : 0))"
  }

  /// The root entity whose objects are copied.
  fileprivate var objectsRoot: String? { if case .objects(let root) = kind { root } else { nil } }

  /// Makes the step write only rows without integer keys that do not exist yet.
  fileprivate mutating func mergeRows(_ root: String, _ ids: IDTable) {
    isMerging = true
    isAnonymous = false
    if let keys = ids.numberedRows?.sourceNumbers(of: root) {
      endConditions = ["is_new(\(root.sqlText), \(keys.written))"]
      if let matchedObjects = ids.map(of: root)?.matchedObjects { tellApart(matchedObjects, root, keys) }
      return
    }
    endConditions = ["\(rowOutcome(root, ids)) = \(MergeOutcome.new.rawValue)"]
  }

  /// Returns the outcome for a row, as SQL over `r`.
  package func rowOutcome(_ root: String, _ ids: IDTable) -> String {
    if let number = ids.numberedRows?.sourceNumbers(of: root)?.written {
      return "merge_outcome(\(root.sqlText), \(number))"
    }
    // The hash is computed over the source's columns, which have the names of properties here.
    var renamed = self
    for index in renamed.assignments.indices where renamed.assignments[index].proof != nil {
      let expression = renamed.assignments[index].expression.uncounted
      renamed.assignments[index].proof?.expected = expression.description
    }
    return CopyStep.rowOutcome(root, renamed)
  }

  /// The lists of an ordered relationship in both stores: the table, and the columns of the list's owner and the
  /// position.
  struct Lists {
    let source: (table: String, owner: String, place: String)
    let destination: (table: String, owner: String, place: String)
    /// The condition that the row `d` existed before.
    let condition: String

    /// Returns the position `expression` in the source's list of `key`, moved after all members of the list of `image`.
    func behind(_ expression: String, key: String, image: String) -> String {
      "(\(expression)) + 1024 "
        + "+ coalesce((SELECT max(d.\(destination.place)) FROM \(destination.table) AS d "
        + "WHERE d.\(destination.owner) = \(image) AND \(condition)), 0) "
        + "- (SELECT min(s.\(source.place)) FROM \(source.table) AS s WHERE s.\(source.owner) = \(key))"
    }
  }
}
