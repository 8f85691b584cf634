internal import DecantCoreData
internal import DecantRecipes
internal import DecantBase
internal import DecantPlan
internal import DecantStore

extension StagedRecipes {
  /// How to read `store`, where it does not hold its model.
  ///
  /// - Throws: `DecantError` of the family `.modelMismatch` where it has no recipes as decant makes them.
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
      "\(shell: "“decant copy FILE \(store.place.shellQuoted) \(option: .suggestMapping) > mapping.yaml”", app: "the mapping suggestion of a copy")"
    )
  }
}

extension RecipeModel {
  /// The model, written in `folder`, where a Core Data store is at `location` that does not hold its own: one that was
  /// made of recipes does not.
  ///
  /// - Parameters:
  ///   - location: The store, which need not exist.
  ///   - folder: Takes the model.
  ///   - kinds: What opens the store.
  /// - Returns: The model's place.
  /// - Throws: `DecantError` where the store cannot be read, or the model not be written.
  static func model(of location: StoreLocation, in folder: String, _ kinds: StoreKinds) throws(DecantError) -> String? {
    guard FileStatus(location.place)?.isFile == true,
      try kinds.find(location).abilities.contains(.hasModel),
      try CoreDataFile(location, model: nil).modelGap != nil
    else { return nil }
    return try write(in: folder)
  }
}
