package import DecantBase
package import DecantPlan
package import DecantStore

/// The values that objects of the destination keep in a merge under every policy.
extension CopyPlan {
  /// Sets the kept columns of every step.
  package mutating func setKept(_ rules: MergeRules, _ model: Model, _ layout: Layout) {
    for index in steps.indices {
      guard case .objects(let root) = steps[index].kind, let relation = layout.relation(of: root)
      else { continue }
      steps[index].kept = rules.keptColumns(of: relation, in: model)
    }
  }
}

extension CopyStep {
  /// Returns whether no object takes another value in `column` of the destination's `relation`.
  package func keepsAlways(_ column: String, _ relation: Relation) -> Bool {
    kept[column].map { $0.count == relation.entities.count } ?? false
  }
}
