/// An index that a developer declared to speed up fetches.
public struct FetchIndex: Sendable, Hashable {
  /// The name, unique in the entity.
  package var name: String
  /// The indexed values, in order.
  package var elements: [Element]
  /// The condition of a partial index; `nil` for all objects.
  package var condition: Condition?

  /// Describes an index, by default of all objects.
  package init(name: String, elements: [Element], condition: Condition? = nil) {
    self.name = name
    self.elements = elements
    self.condition = condition
  }

  /// One element of an index.
  package struct Element: Sendable, Hashable {
    /// The value that is indexed.
    package var subject: Subject
    /// Whether the order is ascending.
    package var isAscending: Bool
    /// Whether it is one dimension of a range search, for which an R-tree is used.
    package var isRange: Bool

    /// Describes an element, by default ascending and not a dimension of ranges.
    package init(_ subject: Subject, isAscending: Bool = true, isRange: Bool = false) {
      self.subject = subject
      self.isAscending = isAscending
      self.isRange = isRange
    }
  }

  /// The subject of an index element.
  package enum Subject: Sendable, Hashable {
    /// A property by its name, which may be inherited.
    case property(String)
    /// The object itself, indexed by its key.
    case object
    /// The object's concrete entity.
    case entity
    /// An expression that decant does not understand.
    case unknown
  }

  /// The condition of a partial index.
  package indirect enum Condition: Sendable, Hashable {
    /// The property compared with a value; `null` tests whether the property has a value.
    case comparison(String, Comparison, StoreValue)
    /// All of these conditions hold.
    case all([Condition])
    /// At least one of these conditions holds.
    case any([Condition])
    /// A condition that decant does not understand.
    case unknown
  }

  /// A comparison of a property with a value; the raw value is SQL.
  package enum Comparison: String, Sendable, Hashable {
    /// The property is less than the value.
    case less = "<"
    /// The property is less than or equal to the value.
    case lessOrEqual = "<="
    /// The property is greater than the value.
    case greater = ">"
    /// The property is greater than or equal to the value.
    case greaterOrEqual = ">="
    /// They are equal.
    case equal = "="
    /// They differ.
    case unequal = "<>"
  }
}
