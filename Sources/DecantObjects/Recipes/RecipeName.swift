/// How a recipe of a store is named.
public struct RecipeName: Sendable, Hashable {
  enum Form: Sendable, Hashable {
    case id(Int64), title(String), words(String)
  }

  let form: Form

  /// By its key in the store, as ``RecipesReport/Line/id`` has it.
  public static func id(_ id: Int64) -> RecipeName { RecipeName(form: .id(id)) }

  /// By its title; case and accents do not matter.
  ///
  /// A part that only one title contains is enough, except to change or delete a recipe.
  public static func title(_ title: String) -> RecipeName { RecipeName(form: .title(title)) }

  /// As people write it: an ID if a recipe has it, otherwise a title.
  package static func words(_ words: String) -> RecipeName { RecipeName(form: .words(words)) }
}

/// The new value of a field of a recipe, as people write it: `4.5`, `1 h 20 min`; an empty one clears the field.
public struct RecipeSetting: Sendable, Hashable {
  /// One of ``Recipes/fields``.
  public let field: String
  public let value: String

  /// Sets `field` to `value`.
  public init(_ field: String, _ value: String) { (self.field, self.value) = (field, value) }
}
