/// The formats of recipe files that decant writes: the only list of them.
enum RecipeWriters {
  /// All writers, in the order in which they are asked whether a place belongs to them.
  static var all: [any RecipeWriter.Type] {
    [
      PaprikaWriter.self, MelaWriter.self, SchemaWriter.self, NextcloudWriter.self,
      CooklangWriter.self, MealMasterWriter.self,
    ]
  }

  /// Returns the writer of `format`; `nil` for a format that is not written.
  static func writer(_ format: String) -> (any RecipeWriter.Type)? {
    all.first { $0.format == format }
  }
}
