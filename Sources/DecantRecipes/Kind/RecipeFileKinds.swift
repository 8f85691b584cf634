internal import DecantRecipeFormats

/// The kinds of recipe files, for those who choose among them.
public struct RecipeFileKinds: Sendable, Hashable {
  /// The name of the kind, as in `paprika:`.
  public let name: String
  /// What people call it.
  public let title: String
  /// Whether decant writes it, too.
  public let isWritten: Bool

  /// All kinds that are read.
  public static var all: [RecipeFileKinds] {
    RecipeFormats.all.map { format in
      RecipeFileKinds(name: format.name, title: format.title, isWritten: RecipeWriters.writer(format.name) != nil)
    }
  }
}
