/// How a recipe of a store is named.
public enum RecipeName: Sendable, Hashable {
  /// By its key in the store, as ``RecipesReport/Line/id`` has it.
  case id(Int64)
  /// By its title; case and accents do not matter.
  ///
  /// A title that only one recipe contains is enough, except to change or delete it. A number is an ID if a recipe has
  /// that ID.
  case title(String)
}

extension RecipeName: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  public init(stringLiteral value: String) { self = .title(value) }
  public init(integerLiteral value: Int64) { self = .id(value) }
}

/// The new value of a field of a recipe, as people write it: `4.5`, `1 h 20 min`; an empty one clears the field.
public struct RecipeSetting: Sendable, Hashable {
  /// One of ``Recipes/fields``.
  public let field: String
  public let value: String

  /// Sets `field` to `value`.
  public init(_ field: String, _ value: String) { (self.field, self.value) = (field, value) }
}
