internal import DecantCopy
package import DecantBase
package import DecantPlan
internal import DecantRecipes
package import DecantStore

/// Recipes of a store of any kind, for copying into a plain database of the recipe model.
package struct RecipeChoice {
  /// Whether the store is of the recipe model, so that no mapping is needed.
  package let isRecipes: Bool
  /// Whether the store itself is a plain database of the recipe model.
  package let isPlain: Bool
  /// How the store is read: the given options, with the model for a store that does not contain its own.
  package private(set) var options: CopyOptions
  private let source: StoreLocation
  private let name: String
  private let folder: String
  private let kinds: StoreKinds

  /// Examines a store.
  ///
  /// - Parameters:
  ///   - source: The store.
  ///   - name: The name that the user gave it; by default its place.
  ///   - options: The selection of recipes, and the mapping for a store with a model of its own.
  ///   - folder: Holds intermediate files; it is needed as long as this value.
  ///   - kinds: Opens the store.
  /// - Throws: `DecantError` if it cannot be read.
  package init(
    of source: StoreLocation,
    as name: String? = nil,
    _ options: CopyOptions,
    in folder: String,
    kinds: StoreKinds = .known
  ) throws(DecantError) {
    var options = options
    if options.model == nil { options.model = try RecipeModel.model(of: source, in: folder, kinds) }
    isRecipes = try SharedNames.isRecipes(source, options, kinds)
    let abilities = try kinds.find(source).abilities
    isPlain = isRecipes && abilities.contains(.isDatabase) && !abilities.contains(.hasModel)
    (self.options, self.source, self.folder, self.kinds) = (options, source, folder, kinds)
    self.name = name ?? source.place
  }

  /// Copies the selected recipes, with everything that belongs to them.
  ///
  /// - Parameters:
  ///   - path: A new database.
  ///   - file: The recipe file that they are for, which an error names in a command that drafts a mapping.
  ///   - cancellation: Ends the work.
  ///   - onCopy: Called before each of the necessary copies, with its number and their total.
  ///   - onEvent: Receives the progress.
  /// - Returns: The report of the copy.
  /// - Throws: `DecantError`; of the family `.modelMismatch` for a store with a model of its own and no mapping.
  package func take(
    into path: String,
    for file: String,
    _ cancellation: Cancellation,
    onCopy: (_ number: Int, _ count: Int) -> Void = { _, _ in },
    _ onEvent: (WorkEvent) -> Void
  ) throws(DecantError) -> CopyReport {
    var wanted = options.choosingRecipes
    wanted.isDryRun = false
    guard !isRecipes else {
      onCopy(1, 1)
      wanted.rules += try SharedNames.rules(of: source, wanted, kinds)
      return try copy(source, "sqlite:\(path)", wanted, cancellation, onEvent)
    }
    guard wanted.mapping != nil else {
      throw RecipeModel.mismatch(
        "“\(name)” has its own model, not the model of recipe files",
        "\(shell: "“decant export \(source.description.shellQuoted) \(file.shellQuoted) \(option: .suggestMapping) > mapping.yaml”", app: "the mapping suggestion of the export")"
      )
    }
    // The mapping copies them into a store of the recipe model, which is then copied completely.
    let model = try RecipeModel.write(in: folder)
    let mapped = "coredata:\(folder)/mapped.sqlite"
    wanted.template = model
    wanted.isUnversioned = true
    if !wanted.roots.isEmpty { wanted.rules += SharedNames.rules(besides: wanted) }
    onCopy(1, 2)
    var report = try copy(source, mapped, wanted, cancellation, onEvent)
    // Notes about the intermediate store would not make sense to the user.
    report.notes.removeAll(where: \.kind.isAboutMadeStore)
    var whole = CopyOptions()
    whole.model = model
    whole.verifies = wanted.verifies
    onCopy(2, 2)
    _ = try copy(StoreKinds.location(mapped), "sqlite:\(path)", whole, cancellation, onEvent)
    return report
  }

  private func copy(
    _ source: StoreLocation,
    _ destination: String,
    _ options: CopyOptions,
    _ cancellation: Cancellation,
    _ onEvent: (WorkEvent) -> Void
  ) throws(DecantError) -> CopyReport {
    try Copy(from: source, to: StoreKinds.location(destination), options: options, opener: kinds)
      .perform(cancellation, onEvent)
  }
}
