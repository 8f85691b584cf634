internal import DecantBase
internal import DecantPlan
internal import DecantStore

/// Recipe files in the formats of other apps, for reading; an export writes them.
package struct RecipeKind: StoreKind {
  package init() {
  }
  /// The name of the kind of files that hold recipes in any format.
  static let name = "recipes"

  var name: String { RecipeKind.name }
  var spellings: [String] { RecipeFormats.names }
  var abilities: StoreAbilities { [] }
  var lines: [StoreKindLine] {
    RecipeFileKinds.all.map {
      StoreKindLine($0.name, "recipes: \($0.title)", $0.isWritten ? [.isMade] : [])
    }
  }

  func check(_ location: StoreLocation) throws(DecantError) { try FilePlace.check(location) }

  func recognises(_ place: String) throws(DecantError) -> Bool {
    FileStatus(place)?.isFile == true && RecipeFiles.isRecipes(place)
  }

  func openSource(_ location: StoreLocation, facing other: FacingStore?, options: CopyOptions)
    throws(DecantError) -> any SourceStore
  {
    let recipes = try StagedRecipes([location.place], only: location.kind)
    guard options.mapping == nil, let other else { return try recipes.source(options: options) }
    return try recipes.source(facing: other, options: options)
  }

  func openDestination(_ location: StoreLocation, like source: any SourceStore, options: CopyOptions)
    throws(DecantError) -> any DestinationStore
  {
    let place = location.place
    guard !exists(location) else {
      throw DecantError(
        .unsupportedKind,
        "“\(place)” is a recipe file: recipes cannot be added to it",
        remedy: "export recipes to a new file: \(command: "help export", app: "an export writes it")"
      )
    }
    try RecipePlace.checkName(location)
    throw DecantError(
      .unsupportedKind,
      "“\(place)” would be a recipe file: only export writes these",
      remedy:
        "\(command: "export \(source.identity.place.shellWord) \(location.description.shellWord)", app: "export “\(source.identity.place)” to it")"
    )
  }
}
