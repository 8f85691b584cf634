internal import DecantCopy
package import DecantBase
package import DecantPlan
internal import DecantRecipes
package import DecantStore

/// Recipes of a store of any kind, to be taken into a plain database of the recipe model.
package struct RecipeChoice {
  /// Whether the store is of the recipe model, so that no mapping is needed.
  package let isRecipes: Bool
  /// Whether the store itself is a plain database of the recipe model.
  package let isPlain: Bool
  /// How the store is read: what was asked for, with the model of a store that does not hold its own.
  package private(set) var options: CopyOptions
  private let source: StoreLocation
  private let name: String
  private let folder: String
  private let kinds: StoreKinds

  /// Looks at a store.
  ///
  /// - Parameters:
  ///   - source: The store.
  ///   - name: What the user calls it; its place where that is not said.
  ///   - options: Which recipes are wanted, and the mapping for a store with a model of its own.
  ///   - folder: Takes what lies between; it is needed as long as this value.
  ///   - kinds: What opens the store.
  /// - Throws: `DecantError` where it cannot be read.
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

  /// Takes the recipes that are wanted, with all that belongs to them.
  ///
  /// - Parameters:
  ///   - path: A new database.
  ///   - file: The recipe file that they are for, which a command names that drafts a mapping.
  ///   - cancellation: Ends the work.
  ///   - onCopy: Called before each of the copies that are needed, with its number and the number of all.
  ///   - onEvent: Told how far it is.
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
        "\(shell: "“decant export \(source.place.shellQuoted) \(file.shellQuoted) \(option: .suggestMapping) > mapping.yaml”", app: "the mapping suggestion of the export")"
      )
    }
    // By the mapping into a store of the recipe model, and from that as a whole.
    let model = try RecipeModel.write(in: folder)
    let mapped = "coredata:\(folder)/mapped.sqlite"
    wanted.template = model
    wanted.isUnversioned = true
    if !wanted.roots.isEmpty { wanted.rules += SharedNames.rules(besides: wanted) }
    onCopy(1, 2)
    var report = try copy(source, mapped, wanted, cancellation, onEvent)
    // What they say of the store speaks of one that nobody sees.
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
