public import DecantArchive
public import DecantBase
public import DecantPlan
public import DecantStore

/// An import of archives into a store: files, destination and options.
///
/// The value can be stored and run again; nothing is opened before it runs.
public struct Import: Runnable {
  /// The files, in any order: whole archives and parts of archives; `-` is standard input.
  public let files: [String]
  /// The store; if it does not exist, it is created from the first archive.
  public let destination: StoreLocation
  /// How objects are added; `merge` has the rules for existing objects.
  package var options: CopyOptions
  /// How objects are matched and conflicts resolved; setting it ends `takesCorrections`.
  public var rules: MergeRules {
    get { options.merge ?? MergeRules(.skip) }
    set { (options.merge, takesCorrections) = (newValue, false) }
  }
  /// How the store is read if it does not contain its model.
  public var reading: SourceReading {
    get { options.reading }
    set { options.reading = newValue }
  }
  /// The selection of objects and values.
  public var selection: Selection {
    get { options.selection }
    set { options.selection = newValue }
  }
  /// The options for a new store.
  public var newStore: NewStore {
    get { options.newStore }
    set { options.newStore = newValue }
  }
  /// How the store is written.
  public var writing: StoreWriting {
    get { options.writing }
    set { options.writing = newValue }
  }
  /// Whether to only plan and count, without writing anything.
  public var isDryRun: Bool {
    get { options.isDryRun }
    set { options.isDryRun = newValue }
  }
  /// The limits for archives.
  public var limits = ArchiveLimits()
  /// Whether to import the intact objects of a damaged archive.
  public var salvages = false
  /// Whether only structured data of web pages are read as recipes, and not the layout of the pages.
  public var onlyStructured = false
  /// Whether a plain database of recipes takes corrections from their files, if the rules are to skip existing objects.
  ///
  /// The last imported version of each recipe is kept in the database, as the base of a three-way merge.
  public var takesCorrections = true
  /// The kinds of stores that can be opened.
  let kinds = StoreKinds.known

  /// Describes an import into a place, `[kind:]place`; objects that it already has are skipped.
  public init(_ files: [String], into destination: String) {
    self.files = files
    self.destination = kinds.location(destination)
    options = CopyOptions()
    options.purpose = .import
    options.merge = MergeRules(.skip)
  }

  /// The import: a report for each archive, in the order in which their first parts were named.
  ///
  /// All files are read and checked before the first object is written. Then each archive is imported as a whole or not
  /// at all, and reported by `made`. An error names the archives that were imported before it.
  public var operation: DecantOperation<ImportReport> {
    DecantOperation("import", isDryRun ? .importPreview : .import) {
      cancellation,
      tell throws(DecantError) in
      try withoutActuallyEscaping(tell) { tell throws(DecantError) in
        var run = ImportRun(self, cancellation: cancellation, onEvent: tell)
        return try run.run()
      }
    }
  }
}
