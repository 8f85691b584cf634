/// A conflict of a merge, to be decided by whoever runs it.
///
/// *Mine* is the destination, *theirs* the source.
public struct MergeConflict: Sendable, Hashable {
  /// What the conflict is about.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Both have changed an attribute, or a link to one object, to different values.
    case value
    /// Both have put an ordered list into another order.
    case order
    /// One has removed what the other has changed.
    case deleted
    /// Two objects that were paired by their key or content differ, and there is no base.
    case pair
  }

  /// A value, or where a link leads.
  public struct Value: Sendable, Hashable {
    /// As the file of conflicts has it, described on the manual's page “Conflicts”.
    public var json: String
    /// As a person reads it: bytes by their number and kind, a link by the title of what it leads to.
    public var text: String

    package init(json: String, text: String) {
      (self.json, self.text) = (json, text)
    }
  }

  /// A value in which two objects of a pair differ.
  public struct Difference: Sendable, Hashable {
    /// The attribute or relationship.
    public var attribute: String
    /// The destination's value and the source's.
    public var mine, theirs: Value

    package init(attribute: String, mine: Value, theirs: Value) {
      (self.attribute, self.mine, self.theirs) = (attribute, mine, theirs)
    }
  }

  /// What it is about.
  public var kind: Kind
  /// The object's concrete entity.
  public var entity: String
  /// The object's keys as JSON text; `null` in a store that does not have it.
  public var mineKey, theirsKey: String
  /// The object's title or name, if it has one.
  public var title: String?
  /// Of a value: the attribute, or the link; of an order: the relationship.
  public var attribute: String?
  /// Of a value or an order: what the base has.
  public var base: Value?
  /// The values that differ: one for a conflict of kind `value` or `order`, several for a pair, all for a removed object.
  public var differences: [Difference]
  /// Of a removed object: whether it is the source that has removed it.
  public var isRemovedByTheirs: Bool
  /// The line that the file of conflicts has for it.
  public var line: String

  package init(
    kind: Kind,
    entity: String,
    mineKey: String,
    theirsKey: String,
    title: String? = nil,
    attribute: String? = nil,
    base: Value? = nil,
    differences: [Difference],
    isRemovedByTheirs: Bool,
    line: String
  ) {
    (self.kind, self.entity, self.mineKey) = (kind, entity, mineKey)
    (self.theirsKey, self.title, self.attribute) = (theirsKey, title, attribute)
    (self.base, self.differences, self.isRemovedByTheirs) = (base, differences, isRemovedByTheirs)
    self.line = line
  }
}

/// What was decided about a conflict.
public enum MergeDecision: Sendable, Hashable {
  /// The destination's version stands, or the source's.
  case mine, theirs
  /// Of a pair: they are two objects, and both stay.
  case both
  /// Of an attribute: another value, as JSON text; a date as `"2026-01-31T08:15:00Z"`.
  case value(String)
  /// Nothing: the object stays as the destination has it.
  case undecided
  /// The merge ends and changes nothing.
  case stop
}
