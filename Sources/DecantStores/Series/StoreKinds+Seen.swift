public import Decant
internal import SQLite

extension Diff {
  /// Describes a comparison in which A is seen through a mapping, as objects of B's model.
  ///
  /// They are copied into a temporary folder, where they stay as long as the comparison is kept.
  ///
  /// - Parameters:
  ///   - a: The store that is mapped, `[kind:]place`.
  ///   - b: The store it is compared with.
  ///   - options: `mapping` says what becomes of what; `model` and links how the stores are read.
  ///   - cancellation: Ends the copy.
  /// - Throws: `DecantError` where the mapping does not fit, or A cannot be read.
  public init(
    _ a: String,
    _ b: String,
    through options: CopyOptions,
    cancellation: Cancellation = Cancellation()
  ) throws(DecantError) {
    let (source, destination) = (StoreKinds.location(a), StoreKinds.location(b))
    let opener = try StoreKinds.seeing(source, as: destination, options, cancellation)
    self.init(source, destination, opener: opener)
  }
}

extension StoreKinds {
  /// Returns an opener for which `source` holds objects of the model of `destination`.
  fileprivate static func seeing(
    _ source: StoreLocation,
    as destination: StoreLocation,
    _ options: CopyOptions,
    _ cancellation: Cancellation
  ) throws(DecantError) -> any StoreOpener {
    try check(destination)
    let kind = try kind(of: destination)
    guard kind == "coredata" || kind == "sqlite" else {
      throw DecantError(
        .usage,
        "“\(destination.place)” is no database, and a mapping leads into one",
        place: "--mapping",
        remedy: "import it into a new store first"
      )
    }
    let folder = try ScratchFolder()
    let made = StoreLocation(kind: kind, place: "\(folder.path)/\(Files.name(of: source.place))")
    var mapped = options
    if kind == "coredata" {
      mapped.template = destination.place
      mapped.isUnversioned = try CoreDataFile(destination, model: nil).versionHashes.isEmpty
    } else {
      // The same tables without rows.
      var empty = CopyOptions()
      (empty.takesNoObjects, empty.takesNoRows) = (true, true)
      try Copy(from: destination, to: made, options: empty, opener: StoreKinds())
        .run(cancellation: cancellation)
      try forgetCounters(of: made.place)
      mapped.firesTriggers = false
    }
    let origin = DatabaseFile.status(of: source.place)
    let report = try Copy(from: source, to: made, options: mapped, opener: StoreKinds())
      .run(cancellation: cancellation)
    let store = MadeStore(
      path: made.place,
      kind: kind,
      place: source.place,
      uuid: report.source.uuid,
      model: options.model,
      origin: origin,
      notes: report.notes.filter { !$0.hasPrefix("the store ") },
      folder: folder
    )
    return AlignedOpener(made: [source: store], model: options.model)
  }

  /// Has a database without rows hand out keys as if it never had any, so that those of a copy stay what they are.
  private static func forgetCounters(of path: String) throws(DecantError) {
    do throws(SQLiteError) {
      let connection = try Connection(path, mode: .readWrite)
      let counters = "SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'"
      if try connection.integer(counters) != nil {
        try connection.run("DELETE FROM sqlite_sequence")
      }
    } catch {
      throw DecantError(opening: path, error)
    }
  }
}
