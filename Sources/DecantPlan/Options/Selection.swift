public import DecantBase

/// The selection of a source's objects, and their conversion.
public struct Selection: Sendable, Hashable {
  /// The conditions of objects; an object must satisfy all those of its entity and its superentities.
  public var conditions: [EntityCondition] = []
  /// The roots of a partial copy: only objects that satisfy one of these conditions are copied, with the objects that
  /// they need; empty for all.
  public var roots: [EntityCondition] = []
  /// The closure rules that differ from the model's.
  public var rules: [FollowRule] = []
  /// The rule for links without target, by relationship of the model: `Recipe.category`.
  public var missing: [String: Mapping.Missing] = [:]
  /// The rule for all other relationships.
  public var missingDefault = Mapping.Missing.null
  /// The mapping from the source's model to the destination's; `nil` if the models agree.
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
