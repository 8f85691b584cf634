public import DecantBase

/// What of a source is taken, and as what.
public struct Selection: Sendable, Hashable {
  /// Conditions on objects, who must meet all that name their entity or one above it.
  public var conditions: [EntityCondition] = []
  /// Where a share begins: only objects that meet one of these conditions are taken, and what they need; none for all.
  public var roots: [EntityCondition] = []
  /// What is taken along from there, where it is not what the model says.
  public var rules: [FollowRule] = []
  /// What becomes of links whose target is not there, by relationship as the model declares it: `Recipe.category`.
  public var missing: [String: Mapping.Missing] = [:]
  /// What becomes of those of all other relationships.
  public var missingDefault = Mapping.Missing.null
  /// How the source's objects become those of the destination's model; `nil` where the models agree.
  public var mapping: Mapping?

  public init() {}
}

extension CopyOptions {
  package var selection: Selection {
    get {
      var selection = Selection()
      (selection.conditions, selection.roots, selection.rules) = (filters, roots, rules)
      (selection.missing, selection.missingDefault) = (missing, missingDefault)
      selection.mapping = mapping
      return selection
    }
    set {
      (filters, roots, rules) = (newValue.conditions, newValue.roots, newValue.rules)
      (missing, missingDefault) = (newValue.missing, newValue.missingDefault)
      mapping = newValue.mapping
    }
  }
}
