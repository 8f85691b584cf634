/// The formats of recipe files that decant writes: the only list of them.
enum RecipeWriters {
  /// All of them, in the order in which they are asked whether a place is theirs.
  static var all: [any RecipeWriter.Type] {
    [
      PaprikaWriter.self, MelaWriter.self, SchemaWriter.self, NextcloudWriter.self,
      CooklangWriter.self, MealMasterWriter.self,
    ]
  }

  /// The one of the format called `format`; `nil` for one that is not written.
  static func writer(_ format: String) -> (any RecipeWriter.Type)? {
    all.first { $0.format == format }
  }
}
