internal import DecantCoreData
internal import DecantRecipes
internal import DecantBase
internal import DecantPlan
internal import DecantStore

extension StagedRecipes {
  /// Returns the model for reading `store`, if that does not contain its own.
  ///
  /// - Throws: `DecantError` of the family `.modelMismatch` if it has no recipes in decant's model.
  func model(of store: StoreLocation, _ options: CopyOptions, _ kinds: StoreKinds) throws(DecantError) -> String? {
    guard FileStatus(store.place) != nil else { return options.model }
    var options = options
    if options.model == nil {
      options.model = try RecipeModel.model(of: store, in: folder.path, kinds)
    }
    let isRecipes = try SharedNames.isRecipes(store, options, kinds)
    guard !isEmpty, !isRecipes else { return options.model }
    throw RecipeModel.mismatch(
      "“\(store.place)” has its own model, not the model of recipe files",
      "\(shell: "“decant copy FILE \(store.description.shellQuoted) \(option: .suggestMapping) > mapping.yaml”", app: "the mapping suggestion of a copy")"
    )
  }
}

extension RecipeModel {
  /// Returns the model, written to `folder`, for a Core Data store at `location` that does not contain its own, such as
  /// one made from recipes.
  ///
  /// - Parameters:
  ///   - location: The store, which need not exist.
  ///   - folder: The folder for the model.
  ///   - kinds: Opens the store.
  /// - Returns: The model's place.
  /// - Throws: `DecantError` if the store cannot be read, or the model cannot be written.
  static func model(of location: StoreLocation, in folder: String, _ kinds: StoreKinds) throws(DecantError) -> String? {
    guard FileStatus(location.place)?.isFile == true,
      try kinds.find(location).abilities.contains(.hasModel),
      try CoreDataFile(location, model: nil).modelGap != nil
    else { return nil }
    return try write(in: folder)
  }
}
