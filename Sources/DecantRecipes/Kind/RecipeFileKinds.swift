internal import DecantRecipeFormats

/// The kinds of recipe files, for user interfaces that offer a choice.
public struct RecipeFileKinds: Sendable, Hashable {
  /// The name of the kind, as in `paprika:`.
  public let name: String
  /// The common name of the kind.
  public let title: String
  /// Whether decant also writes it.
  public let isWritten: Bool

  /// All kinds that decant reads.
  public static var all: [RecipeFileKinds] {
    RecipeFormats.all.map { format in
      RecipeFileKinds(name: format.name, title: format.title, isWritten: RecipeWriters.writer(format.name) != nil)
    }
  }
}
