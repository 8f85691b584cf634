internal import DecantPageLayout
internal import DecantRecipeFormats

/// The formats of recipe files that decant reads: the only list of them.
enum RecipeFormats {
  /// JSON formats, in the order in which they are tried on an object.
  static let json: [any JSONRecipeFormat.Type] = [
    PaprikaFormat.self, CroutonFormat.self, TandoorFormat.self, MealieFormat.self,
    RecipeFoxFormat.self,
    NextcloudFormat.self, SchemaRecipe.self, MelaFormat.self,
  ]

  /// XML formats; those of HTML are in `HTMLRecipes`.
  static let markup: [any MarkupRecipeFormat.Type] = [
    FdxFormat.self, GourmetFormat.self, KRecipesFormat.self, MacGourmetFormat.self,
    CookmateFormat.self, CookMLFormat.self, RecipeMLFormat.self, MX2Format.self,
  ]

  /// Text formats.
  static let text: [any TextRecipeFormat.Type] = [
    MealMasterFormat.self, RezKonvFormat.self, MasterCookTextFormat.self, PlanToEatFormat.self,
    MyRecipeBoxFormat.self, CooklangFormat.self, MarkdownFormat.self,
  ]

  /// All formats.
  static var all: [any RecipeFormat.Type] {
    json.map { $0 as any RecipeFormat.Type } + markup.map { $0 as any RecipeFormat.Type }
      + HTMLRecipes.formats.map { $0 as any RecipeFormat.Type }
      + text.map { $0 as any RecipeFormat.Type }
  }

  /// The names of all formats.
  static var names: [String] { all.map { $0.name } }
}
