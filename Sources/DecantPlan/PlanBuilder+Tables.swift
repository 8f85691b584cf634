internal import DecantBase
internal import DecantStore
internal import DecantSQLite

extension PlanBuilder {
  /// Returns the step of a link table.
  func step(for links: LinkRelation) throws(DecantError) -> CopyStep {
    let candidates = destinationLayout.linkRelations.flatMap {
      [$0] + ($0.reversed.map { [$0] } ?? [])
    }
    guard let target = candidates.first(where: { $0.relationship == links.relationship }) else {
      throw DecantError(
        .modelsDiffer,
        "the destination has no table for the links \(links.relationship)",
        remedy: misfitRemedy
      )
    }
    let keepsUnresolvedKeys =
      links.keepsUnresolvedKeys && target.keepsUnresolvedKeys && !takesOnlyReached
    let function = keepsUnresolvedKeys ? LinkExpression.Function.link : .id
    func end(
      _ column: String,
      of sourceColumn: String,
      as name: String,
      root: String,
      counting: String
    ) -> CopyStep.Assignment {
      let link = { (key: String, counting: String?) in
        LinkExpression(function: function, root: root, key: key, counting: counting)
      }
      return CopyStep.Assignment(
        column: column,
        expression: SQLExpression(link("r.\(name)", counting)),
        proof: CopyStep.Proof(
          expected: link(sourceColumn.sqlName, nil).description,
          actual: column.sqlName,
          property: counting,
          isNumeric: false
        )
      )
    }
    let relationship = links.relationship.description
    var columns = [
      "\(links.ownerColumn.sqlName) AS _owner", "\(links.targetColumn.sqlName) AS _target",
    ]
    if let rowID = links.rowID {
      columns.insert("\(rowID) AS _id", at: 0)
    } else {
      columns += ["\(links.ownerColumn.sqlName) AS _k0", "\(links.targetColumn.sqlName) AS _k1"]
    }
    var assignments = [
      end(
        target.ownerColumn,
        of: links.ownerColumn,
        as: "_owner",
        root: links.ownerRoot,
        counting: relationship + " owner"
      ),
      end(target.targetColumn, of: links.targetColumn, as: "_target", root: links.targetRoot, counting: relationship),
    ]
    let positions = [
      ("_position", links.positionColumn, target.positionColumn),
      ("_inversePosition", links.inversePositionColumn, target.inversePositionColumn),
    ]
    for case (let end, (let name, let from?, let to?)) in positions.enumerated() {
      columns.append("\(from.sqlName) AS \(name)")
      assignments.append(
        CopyStep.Assignment(
          column: to,
          expression: "r.\(name)",
          proof: CopyStep.Proof(
            expected: from.sqlName,
            actual: to.sqlName,
            property: "the order of \(relationship)",
            isNumeric: false
          ),
          role: .place(inListOf: end)
        )
      )
    }
    let table = links.sqlTable(in: sourceSchema)
    let conditions = links.condition.map { [$0] } ?? []
    var step = CopyStep(
      name: relationship,
      kind: .links(links),
      source: "(\(SelectStatement(columns: columns, source: table, conditions: conditions).sql))",
      sourceTable: table,
      sourceKey: links.rowID ?? "NULL",
      table: target.table,
      keyColumn: target.rowID ?? "",
      assignments: assignments
    )
    let ends = [
      (links.ownerColumn, "_owner", links.ownerRoot),
      (links.targetColumn, "_target", links.targetRoot),
    ]
    // If unresolved keys are kept, an end that is missing in the source is an ordinary value.
    step.isAnonymous = keepsUnresolvedKeys
    step.proofConditions =
      ends.map { column, _, root in
        (keepsUnresolvedKeys ? "\(column.sqlName) IS NULL OR " : "")
          + "\(function.rawValue)(\(root.sqlText), \(column.sqlName)) IS NOT NULL"
      } + conditions
    // Without rowids, a row that lacks an end could not be found again for removal, and a plain table may not accept
    // such a row at all.
    if links.rowID == nil || target.rowID == nil || target.keepsUnresolvedKeys || links.keepsUnresolvedKeys {
      step.endConditions = ends.map { _, name, root in
        (keepsUnresolvedKeys ? "r.\(name) IS NULL OR " : "")
          + "\(function.rawValue)(\(root.sqlText), r.\(name)) IS NOT NULL"
      }
    }
    return step
  }

  /// Returns the step of a table without objects and links.
  func step(for table: PlainTable) -> CopyStep {
    let qualified = "\(sourceSchema.sqlName).\(table.name.sqlName)"
    let key = table.rowID ?? "NULL"
    var select = SelectStatement(columns: ["\(key) AS _id"], source: qualified)
    // An app may rely on rowids, although a vacuum may change them: they are copied and not verified.
    var assignments = [table.rowID].compactMap(\.self).map {
      CopyStep.Assignment(column: $0, expression: "r._id")
    }
    for (position, column) in table.columns.enumerated() {
      select.columns.append("\(column.sqlName) AS _\(position)")
      assignments.append(
        CopyStep.Assignment(
          column: column,
          expression: "r._\(position)",
          proof: CopyStep.Proof(expected: column.sqlName, actual: column.sqlName, property: column, isNumeric: false)
        )
      )
    }
    return CopyStep(
      // An entity may have the same name.
      name: "table \(table.name)",
      kind: .rows(table),
      source: "(\(select.sql))",
      sourceTable: qualified,
      sourceKey: key,
      table: table.name,
      keyColumn: key,
      assignments: assignments
    )
  }
}
