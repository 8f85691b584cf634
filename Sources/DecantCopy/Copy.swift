public import DecantBase
internal import DecantMerge
public import DecantPlan
public import DecantStore

/// The copy of one store into another.
///
/// A value that can be kept and run again; nothing is opened before it runs.
public struct Copy: Runnable {
  public let source: StoreLocation
  public let destination: StoreLocation
  package var options: CopyOptions

  /// The options for reading the source.
  public var reading: SourceReading {
    get { options.reading }
    set { options.reading = newValue }
  }
  /// The selection of objects to copy.
  public var selection: Selection {
    get { options.selection }
    set { options.selection = newValue }
  }
  /// The properties of a new store.
  public var newStore: NewStore {
    get { options.newStore }
    set { options.newStore = newValue }
  }
  /// The options for writing the destination.
  public var writing: StoreWriting {
    get { options.writing }
    set { options.writing = newValue }
  }
  /// Whether dates are kept as numbers where a destination's own type for points in time is less precise.
  public var keepsExactDates: Bool {
    get { options.keepsExactDates }
    set { options.keepsExactDates = newValue }
  }
  /// The types of columns of new tables on a server, by the attribute or the table and its column: `timestamptz` for
  /// `note.created`.
  public var columnTypes: [Property: String] {
    get { Dictionary(options.columnTypes.map { ($0.property, $0.type) }) { $1 } }
    set {
      options.columnTypes = newValue.map { ColumnChoice($0, type: $1) }.sorted {
        $0.property.description < $1.property.description
      }
    }
  }
  /// The total time that a copy into a server spends on reconnecting after lost connections, before it fails and can be
  /// resumed.
  public var reconnectionTime: Duration {
    get { options.reconnectionTime }
    set { options.reconnectionTime = newValue }
  }
  /// The number of sessions in which a server creates the keys and indexes of new tables, and checks their foreign keys,
  /// at the same time; from 1 to 64.
  public var workerCount: Int {
    get { options.workerCount }
    set { options.workerCount = min(max(newValue, 1), 64) }
  }
  /// Whether new tables on a server have the names of the model, which must be quoted in SQL, instead of names in lower
  /// case.
  public var keepsModelNames: Bool {
    get { options.tableNames == .model }
    set { options.tableNames = newValue ? .model : .small }
  }
  /// Whether all objects are added as new ones to a store that already contains some, which is an error otherwise.
  public var appends: Bool {
    get { options.appends }
    set { options.appends = newValue }
  }
  /// Whether the copy is only planned and counted, without writing anything.
  public var isDryRun: Bool {
    get { options.isDryRun }
    set { options.isDryRun = newValue }
  }

  private let opener: any StoreOpener

  /// Creates a copy between stores of kinds that `opener` supports.
  package init(
    from source: StoreLocation,
    to destination: StoreLocation,
    options: CopyOptions = CopyOptions(),
    opener: any StoreOpener
  ) {
    self.source = source
    self.destination = destination
    self.options = options
    self.opener = opener
  }

  /// The copy; its report accounts for every object of the source.
  ///
  /// The event `planned` comes before the first long step. If the rules of a merge ask about conflicts, each conflict
  /// is sent as an event that waits for its decision. A copy that fails or is stopped leaves the destination as it was.
  /// A new store can be resumed, as can a store whose rows are committed in batches.
  public var operation: DecantOperation<CopyReport> {
    DecantOperation(options.purpose.rawValue, weights) { cancellation, tell throws(DecantError) in
      try perform(cancellation, tell)
    }
  }

  /// A text that is equal for copies of the same source with the same options and files, whatever the destination has.
  var command: String {
    guard let hash = ContentHash() else { return "" }
    var options = options
    options.leftOver = .startOver
    options.add(to: hash)
    hash.update("\n\(Files.resolved(source.place))")
    // The files are there only afterwards, and their folders before.
    for file in [options.idTableFile, options.rejectsFile] {
      hash.update("\n\(file.map { "\(Files.resolved(Files.folder(of: $0)))/\(Files.name(of: $0))" } ?? "-")")
    }
    return hash.text
  }

  private var weights: PhaseWeights {
    if options.isDryRun { return .preview }
    if options.merge != nil { return .merge }
    return options.takesEverything && !options.appends ? .pages : .copy
  }

  /// Performs the copy as part of another run.
  @discardableResult
  package func perform(
    _ cancellation: Cancellation = Cancellation(),
    _ tell: (WorkEvent) -> Void = { _ in }
  ) throws(DecantError) -> CopyReport {
    try withoutActuallyEscaping(tell) { tell throws(DecantError) in
      let run = CopyRun(
        self,
        cancellation: cancellation,
        deciding: { conflict, problem in
          ConflictQuestion.ask(conflict, problem, cancellation) { tell(.conflict($0)) }
        },
        onEvent: tell
      )
      do throws(DecantError) {
        return try run.run(opener)
      } catch {
        var error = error
        run.removeConflictsFile(after: &error)
        throw error.naming(rootsFor: options.filters)
      }
    }
  }
}
