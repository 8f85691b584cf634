internal import DecantArchive
internal import DecantCoreData
internal import DecantRecipes
public import DecantBase
internal import DecantMapping
public import DecantPlan
public import DecantStore

/// An export of a store into an archive: what is to be written where, and how.
///
/// A value that can be kept and run again; nothing is opened before it runs.
public struct Export: Runnable {
  /// The store to read; it is never changed.
  public let source: StoreLocation
  /// The archive to make: a name that ends in `.decant`, with `.gz`, `.zst`, `.xz`, `.lz4` or `.zip`
  /// behind it where it is to be packed; `-` for standard output.
  public let destination: StoreLocation
  /// What is copied, and how the store is read; how a destination is committed has no meaning here.
  package var options: CopyOptions
  /// How much effort goes into packing; `nil` for what is fast.
  public var level: Int?
  /// How many bytes of lines a part has at the most, before they are packed; `nil` for one file.
  public var partByteCount: Int64?
  /// How a page or a mail shows what is exported.
  public var page = PageOptions()
  /// How the store is read.
  public var reading: SourceReading {
    get { options.reading }
    set { options.reading = newValue }
  }
  /// What of the store is taken.
  public var selection: Selection {
    get { options.selection }
    set { options.selection = newValue }
  }
  /// Whether the archive is read again and checked before it gets its name.
  public var verifies: Bool {
    get { options.verifies }
    set { options.verifies = newValue }
  }
  /// Whether it is counted only, and nothing is written.
  public var isDryRun: Bool {
    get { options.isDryRun }
    set { options.isDryRun = newValue }
  }
  /// What opens the store.
  let kinds: StoreKinds
  /// The store that `source` is a still copy of, where it is one.
  var original: StillCopy?

  /// Describes an export of one place into another, each `[kind:]place`.
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

  /// Whether `name` is that of an archive to be made, as by its ending.
  public static func isArchive(_ name: String) -> Bool {
    let location = StoreKinds.location(name)
    if RecipePlace(location) != nil { return true }
    guard location.kind == nil || location.kind == ArchiveKind.name else { return false }
    return ArchivePlace(location.place, isAsked: location.kind != nil) != nil
  }

  /// Whether it writes recipes for other apps, and no archive: then `note` says what these have no place for,
  /// before anything is written.
  public var writesRecipes: Bool { RecipePlace(destination) != nil }

  /// The draft of a mapping by which recipe files are made of a store with a model of its own: YAML that `Mapping` reads.
  ///
  /// An error is of the family `.usage` where no recipe file is made, as an archive has the model of its store.
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
          + "decant copy SOURCE STORE \(option: .suggestMapping)"
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

  /// The export: its report accounts for every object of the source.
  ///
  /// One that fails or is stopped leaves no archive.
  public var operation: DecantOperation<CopyReport> {
    DecantOperation("export", .export) { cancellation, tell throws(DecantError) in
      try perform(cancellation, tell)
    }
  }

  /// Makes the archive as a part of another run.
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
      export.options.rules += try SharedNames.rules(of: source, options, kinds)
      return try ExportRun(export, cancellation: cancellation, onEvent: tell).run()
    }
  }
}
