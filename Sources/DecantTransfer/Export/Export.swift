internal import DecantArchive
internal import DecantCoreData
internal import DecantRecipes
public import DecantBase
internal import DecantMapping
public import DecantPlan
public import DecantStore

/// An export of a store to an archive: source, destination and options.
///
/// The value can be stored and run again; nothing is opened before it runs.
public struct Export: Runnable {
  /// The store to read; it is never changed.
  public let source: StoreLocation
  /// The archive to create, or `-` for standard output.
  ///
  /// The name ends in `.decant`, followed by `.gz`, `.zst`, `.xz`, `.lz4` or `.zip` to compress it.
  public let destination: StoreLocation
  /// What is copied, and how the store is read; options for committing a destination have no effect here.
  package var options: CopyOptions
  /// The compression level; `nil` for a fast one.
  public var level: Int?
  /// The maximum size of a part in bytes, before compression; `nil` for a single file.
  public var partByteCount: Int64?
  /// The appearance of a page or a mail.
  public var page = PageOptions()
  /// How the store is read.
  public var reading: SourceReading {
    get { options.reading }
    set { options.reading = newValue }
  }
  /// The selection of objects and values.
  public var selection: Selection {
    get { options.selection }
    set { options.selection = newValue }
  }
  /// Whether the archive is read back and checked before it gets its name.
  public var verifies: Bool {
    get { options.verifies }
    set { options.verifies = newValue }
  }
  /// Whether to only count, without writing anything.
  public var isDryRun: Bool {
    get { options.isDryRun }
    set { options.isDryRun = newValue }
  }
  /// The kinds of stores that can be opened.
  let kinds: StoreKinds
  /// The store that `source` is a temporary copy of, if it is one.
  var original: StillCopy?

  /// Describes an export from one place to another, each `[kind:]place`.
  public init(from source: String, to destination: String) {
    self.init(from: source, to: destination, options: CopyOptions())
  }

  package init(
    from source: String,
    to destination: String,
    options: CopyOptions,
    kinds: StoreKinds = .known
  ) {
    self.source = kinds.location(source)
    self.destination = kinds.location(destination)
    self.options = options
    self.kinds = kinds
  }

  /// Whether `name` has the extension of an archive.
  public static func isArchive(_ name: String) -> Bool {
    let location = StoreKinds.location(name)
    if RecipePlace(location) != nil { return true }
    guard location.kind == nil || location.kind == ArchiveKind.name else { return false }
    return ArchivePlace(location.place, isAsked: location.kind != nil) != nil
  }

  /// Whether the export writes recipes for other apps instead of an archive.
  ///
  /// In that case `note` reports what these apps have no place for, before anything is written.
  public var writesRecipes: Bool { RecipePlace(destination) != nil }

  /// The draft of a mapping from a store with its own model to recipe files: YAML that `Mapping` reads.
  ///
  /// The operation fails with the family `.usage` if the destination is not a recipe file, because an archive keeps the
  /// model of its store.
  public var mappingSuggestion: DecantOperation<String> {
    DecantOperation("suggestion", .inspect) { cancellation, tell throws(DecantError) in
      try suggestedMapping(cancellation, tell)
    }
  }

  private func suggestedMapping(_ cancellation: Cancellation, _ tell: (WorkEvent) -> Void)
    throws(DecantError) -> String
  {
    guard writesRecipes else {
      throw DecantError(
        .unsuitableOption,
        "“\(destination.place)” uses the model of its store and needs no mapping",
        remedy: "use a recipe file, or draft one for two stores: "
          + "\(command: "copy SOURCE STORE \(option: .suggestMapping)", app: "the mapping suggestion of a copy")"
      )
    }
    let folder = try ScratchFolder()
    let path = "\(folder.path)/recipes.sqlite"
    var options = options
    options.template = try RecipeModel.write(in: folder.path)
    options.isUnversioned = true
    let suggestion = MappingSuggestion(
      from: source,
      to: StoreLocation(kind: CoreDataKind.name, place: path),
      options: options,
      opener: kinds
    )
    return try suggestion.perform(cancellation, tell).replacing(path, with: destination.place)
  }

  /// The export; its report accounts for every object of the source.
  ///
  /// If it fails or is cancelled, no archive is left.
  public var operation: DecantOperation<CopyReport> {
    DecantOperation("export", .export) { cancellation, tell throws(DecantError) in
      try perform(cancellation, tell)
    }
  }

  /// Runs the export as part of another run.
  func perform(
    _ cancellation: Cancellation = Cancellation(),
    _ tell: (WorkEvent) -> Void = { _ in }
  ) throws(DecantError) -> CopyReport {
    try withoutActuallyEscaping(tell) { tell throws(DecantError) in
      if let place = RecipePlace(destination) {
        try page.check(destination.place, isPage: false)
        return try RecipeExport(self, to: place, cancellation: cancellation, tell).run()
      }
      try RecipePlace.checkName(destination)
      var export = self
      let chooses = options.filters.contains { $0.entity == "Recipe" }
      if chooses, try SharedNames.isRecipes(source, options, kinds) { export.options = options.choosingRecipes }
      export.options.rules += try SharedNames.rules(of: source, export.options, kinds)
      return try ExportRun(export, cancellation: cancellation, onEvent: tell).run()
    }
  }
}
