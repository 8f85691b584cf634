/// A conflict of a merge that needs a decision.
///
/// *Mine* is the destination, *theirs* the source.
public struct MergeConflict: Sendable, Hashable {
  /// The kind of a conflict.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Both changed an attribute, or a to-one link, to different values.
    case value
    /// Both changed the order of an ordered list.
    case order
    /// One removed an object that the other changed.
    case deleted
    /// Two objects that were paired by their key or content differ, and there is no base.
    case pair
  }

  /// A value, or the target of a link.
  public struct Value: Sendable, Hashable {
    /// The value in the form of the conflicts file, described on the manual's page “Conflicts”.
    public var json: String
    /// The value for people: bytes by their number and format, a link by the title of its target.
    public var text: String

    /// Describes a value.
    package init(json: String, text: String) {
      (self.json, self.text) = (json, text)
    }
  }

  /// A value that differs between the two objects of a pair.
  public struct Difference: Sendable, Hashable {
    /// The attribute or relationship.
    public var attribute: String
    /// The destination's value and the source's.
    public var mine, theirs: Value

    /// Describes a difference.
    package init(attribute: String, mine: Value, theirs: Value) {
      (self.attribute, self.mine, self.theirs) = (attribute, mine, theirs)
    }
  }

  /// The kind of the conflict.
  public var kind: Kind
  /// The object's concrete entity.
  public var entity: String
  /// The object's keys as JSON text; `null` for a store without the object.
  public var mineKey, theirsKey: String
  /// The object's title or name, if it has one.
  public var title: String?
  /// The attribute or link of a value conflict; the relationship of an order conflict.
  public var attribute: String?
  /// The base's value or order, for a conflict of these kinds.
  public var base: Value?
  /// The values that differ: one for `value` or `order`, several for a pair, all for a removed object.
  public var differences: [Difference]
  /// For a removed object: whether the source removed it.
  public var isRemovedByTheirs: Bool
  /// The line of the conflicts file for this conflict.
  public var line: String

  /// Describes a conflict.
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

/// The decision about a conflict.
public enum MergeDecision: Sendable, Hashable {
  /// The destination's version is kept, or the source's.
  case mine, theirs
  /// The objects of a pair are different objects, and both are kept.
  case both
  /// An attribute gets another value, as JSON text; a date as `"2026-01-31T08:15:00Z"`.
  case value(String)
  /// No decision: the object stays as the destination has it.
  case undecided
  /// The merge ends and changes nothing.
  case stop
}
