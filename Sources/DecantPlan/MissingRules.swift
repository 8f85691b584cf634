package import DecantBase
package import DecantStore
internal import DecantSQLite

/// What becomes of links whose target is not there, settled for every relationship that a store holds.
package struct MissingRules: Sendable, Hashable {
  /// By relationship as the model declares it.
  package var said: [String: Mapping.Missing] = [:]
  /// What holds for all others.
  package var general = Mapping.Missing.null
  /// The relationships that no object must be without as the destination's model has it, and of which nothing is
  /// said: a refused target does not leave such a link empty.
  package var required: Set<String> = []

  package init() {}

  package init(
    said: [String: Mapping.Missing] = [:],
    general: Mapping.Missing = Mapping.Missing.null,
    required: Set<String> = []
  ) {
    (self.said, self.general, self.required) = (said, general, required)
  }

  /// Whether every such link is made null.
  package var areDefault: Bool { said.values.allSatisfy { $0 == .null } && general == .null }

  /// Whether empty objects may be made for links to lead to.
  package var makeStubs: Bool { general == .stub || said.values.contains(.stub) }

  /// What becomes of links that a column holds.
  package func rule(of relationship: Property) -> Mapping.Missing {
    said[relationship.description] ?? general
  }

  /// What becomes of links that stand with the object that holds them.
  ///
  /// A general `reject` does not speak of rows that no key tells apart: none of them can be left out alone.
  package func rule(of link: LinkColumn) -> Mapping.Missing {
    let rule = rule(of: link.property)
    guard said[link.property.description] == nil else { return rule }
    return rule == .reject && link.step.batching == .once ? .null : rule
  }

  /// What becomes of links that have a table of their own.
  ///
  /// A general `reject` or `stub` does not speak of them: such a link is no part of an object.
  package func rule(ofTable relationship: Property) -> Mapping.Missing {
    if let said = said[relationship.description] { return said }
    return switch general {
    case .reject, .stub: .null
    case .null, .error: general
    }
  }

  /// One line for what is not the default; equal rules have equal lines.
  var canonicalText: [String] {
    let rules = said.filter { $0.value != general }.map {
      "missing \($0.key): \($0.value.rawValue)"
    }
    let all = general == .null ? [] : ["missing: \(general.rawValue)"]
    let lines = all + rules.sorted()
    return lines.isEmpty ? [] : [lines.joined(separator: "\n")]
  }
}

/// A column of the destination that holds a link, and what fills it.
package struct LinkColumn {
  package let step: CopyStep
  package let assignment: CopyStep.Assignment
  package let relation: Relation
  package let column: RelationColumn
  package let property: Property

  /// The root entity of the objects that hold the link.
  package var root: String { relation.root }

  /// What a pass over the step's source reads: its objects, as the copy itself chooses them.
  package func select(_ columns: [String], where conditions: [String] = []) -> SelectStatement {
    SelectStatement(columns: columns, source: "\(step.source) AS r", conditions: conditions + step.choice)
  }
}

extension CopyPlan {
  /// The columns that hold links to one object, as far as the copy fills them.
  package func linkColumns(of layout: Layout) -> [LinkColumn] {
    steps.flatMap { step -> [LinkColumn] in
      guard let root = step.objectRoot, let relation = layout.relation(of: root) else { return [] }
      return relation.columns.compactMap { column in
        guard let property = column.columnRole.link else { return nil }
        // Siblings may share a column: each has an expression of its own.
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
  /// The root entity whose objects the step copies; `nil` for one of links or other rows.
  package var objectRoot: String? {
    switch kind {
    case .objects(let root), .unkeyed(let root, _): root
    case .links, .rows: nil
    }
  }

  /// The conditions over `r` under which a row of the step's source is copied, batches apart.
  package var choice: [String] {
    (endConditions + filters).map { "(\($0))" } + [selection].compactMap(\.self)
  }
}

extension ColumnRole {
  /// The relationship whose links the column holds, whichever end declares it.
  package var link: Property? {
    switch self {
    case .target(let property), .owner(let property): property
    case .attribute, .key, .targetEntity, .position, .ownerPosition, .unnamed, .revision: nil
    }
  }
}
