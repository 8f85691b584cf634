package import DecantBase
package import DecantPlan
package import DecantStore

/// What objects of the destination keep in a merge, whatever the policy says.
extension CopyPlan {
  /// Notes for every step which columns are kept.
  package mutating func setKept(_ rules: MergeRules, _ model: Model, _ layout: Layout) {
    for index in steps.indices {
      guard case .objects(let root) = steps[index].kind, let relation = layout.relation(of: root)
      else { continue }
      steps[index].kept = rules.keptColumns(of: relation, in: model)
    }
  }
}

extension CopyStep {
  /// Whether no object takes another value in `column` of `relation`, the destination's.
  package func keepsAlways(_ column: String, _ relation: Relation) -> Bool {
    kept[column].map { $0.count == relation.entities.count } ?? false
  }
}
