package import DecantBase
package import DecantStore
internal import DecantSQLite

/// The rules for links without target, resolved for every relationship of a store.
package struct MissingRules: Sendable, Hashable {
  /// The rules by relationship of the model.
  package var said: [String: Mapping.Missing] = [:]
  /// The rule for all other relationships.
  package var general = Mapping.Missing.null
  /// The relationships without a rule that are required in the destination's model: a rejected target does not leave
  /// such a link empty.
  package var required: Set<String> = []

  package init() {}

  package init(
    said: [String: Mapping.Missing] = [:],
    general: Mapping.Missing = Mapping.Missing.null,
    required: Set<String> = []
  ) {
    (self.said, self.general, self.required) = (said, general, required)
  }

  /// Whether all such links become null.
  package var areDefault: Bool { said.values.allSatisfy { $0 == .null } && general == .null }

  /// Whether stub objects may be created as targets.
  package var makeStubs: Bool { general == .stub || said.values.contains(.stub) }

  /// Returns the rule for links in a column.
  package func rule(of relationship: Property) -> Mapping.Missing {
    said[relationship.description] ?? general
  }

  /// Returns the rule for links stored with the object that holds them.
  ///
  /// A general `reject` does not apply to rows without a key: none of them can be left out alone.
  package func rule(of link: LinkColumn) -> Mapping.Missing {
    let rule = rule(of: link.property)
    guard said[link.property.description] == nil else { return rule }
    return rule == .reject && link.step.batching == .once ? .null : rule
  }

  /// Returns the rule for links in a link table.
  ///
  /// A general `reject` or `stub` does not apply to them: such a link is not part of an object.
  package func rule(ofTable relationship: Property) -> Mapping.Missing {
    if let said = said[relationship.description] { return said }
    return switch general {
    case .reject, .stub: .null
    case .null, .error: general
    }
  }

  /// The text of rules that differ from the default; equal rules have equal texts.
  var canonicalText: [String] {
    let rules = said.filter { $0.value != general }.map {
      "missing \($0.key): \($0.value.rawValue)"
    }
    let all = general == .null ? [] : ["missing: \(general.rawValue)"]
    let lines = all + rules.sorted()
    return lines.isEmpty ? [] : [lines.joined(separator: "\n")]
  }
}

/// A column of the destination that contains a link, and its value.
package struct LinkColumn {
  package let step: CopyStep
  package let assignment: CopyStep.Assignment
  package let relation: Relation
  package let column: RelationColumn
  package let property: Property

  /// The root entity of the objects with the link.
  package var root: String { relation.root }

  /// Returns a SELECT on the step's source, with the copy's own selection of objects.
  package func select(_ columns: [String], where conditions: [String] = []) -> SelectStatement {
    SelectStatement(columns: columns, source: "\(step.source) AS r", conditions: conditions + step.choice)
  }
}

extension CopyPlan {
  /// Returns the columns with to-one links that the copy fills.
  package func linkColumns(of layout: Layout) -> [LinkColumn] {
    steps.flatMap { step -> [LinkColumn] in
      guard let root = step.objectRoot, let relation = layout.relation(of: root) else { return [] }
      return relation.columns.compactMap { column in
        guard let property = column.columnRole.link else { return nil }
        // Sibling entities may share a column: each has an expression of its own.
        let assignment = step.assignments.first {
          $0.isOf(column) && $0.expression.counts(property.description)
        }
        return assignment.map {
          LinkColumn(step: step, assignment: $0, relation: relation, column: column, property: property)
        }
      }
    }
  }
}

extension CopyStep {
  /// The root entity whose objects the step copies; `nil` for a step of links or other rows.
  package var objectRoot: String? {
    switch kind {
    case .objects(let root), .unkeyed(let root, _): root
    case .links, .rows: nil
    }
  }

  /// The conditions on `r` under which a row of the step's source is copied, without those of batches.
  package var choice: [String] {
    (endConditions + filters).map { "(\($0))" } + [selection].compactMap(\.self)
  }
}

extension ColumnRole {
  /// The relationship whose links the column contains, whichever end declares it.
  package var link: Property? {
    switch self {
    case .target(let property), .owner(let property): property
    case .attribute, .key, .targetEntity, .position, .ownerPosition, .unnamed, .revision: nil
    }
  }
}
