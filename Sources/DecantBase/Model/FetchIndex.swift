/// An index a developer asked for, by which a store finds objects faster.
public struct FetchIndex: Sendable, Hashable {
  /// What the model calls it; no other index of the entity has this name.
  package var name: String
  /// What is indexed, in order.
  package var elements: [Element]
  /// Which objects are in it, or `nil` for all.
  package var condition: Condition?

  /// Describes an index of all objects, unless a condition is given.
  package init(name: String, elements: [Element], condition: Condition? = nil) {
    self.name = name
    self.elements = elements
    self.condition = condition
  }

  /// One of the things an index goes by.
  package struct Element: Sendable, Hashable {
    /// The value that is indexed.
    package var subject: Subject
    /// Whether small values come first.
    package var isAscending: Bool
    /// Whether it is one dimension of a search for ranges, which an R-tree serves.
    package var isRange: Bool

    /// Describes a value in rising order, not as a dimension of ranges, unless told otherwise.
    package init(_ subject: Subject, isAscending: Bool = true, isRange: Bool = false) {
      self.subject = subject
      self.isAscending = isAscending
      self.isRange = isRange
    }
  }

  /// What an element of an index looks at.
  package enum Subject: Sendable, Hashable {
    /// A property by its name, inherited ones too.
    case property(String)
    /// The object itself, which is its key.
    case object
    /// The object's concrete entity.
    case entity
    /// An expression that decant does not understand.
    case unknown
  }

  /// What an object must meet to be in an index.
  package indirect enum Condition: Sendable, Hashable {
    /// The property compares so with the value; with `null` the property has no value, or has one.
    case comparison(String, Comparison, StoreValue)
    /// All of these hold.
    case all([Condition])
    /// One of these holds.
    case any([Condition])
    /// A condition that decant does not understand.
    case unknown
  }

  /// How a property compares with a value; the text is SQL's.
  package enum Comparison: String, Sendable, Hashable {
    /// The property is the smaller one.
    case less = "<"
    /// The property is the smaller one, or they are equal.
    case lessOrEqual = "<="
    /// The property is the larger one.
    case greater = ">"
    /// The property is the larger one, or they are equal.
    case greaterOrEqual = ">="
    /// They are equal.
    case equal = "="
    /// They differ.
    case unequal = "<>"
  }
}
