public import DecantBase
internal import DecantMerge
public import DecantPlan
public import DecantStore

/// A copy of one store into another: what is to be copied where, and how.
///
/// A value that can be kept and run again; nothing is opened before it runs.
public struct Copy: Runnable {
  public let source: StoreLocation
  public let destination: StoreLocation
  package var options: CopyOptions

  /// How the source is read.
  public var reading: SourceReading {
    get { options.reading }
    set { options.reading = newValue }
  }
  /// What of the source is taken.
  public var selection: Selection {
    get { options.selection }
    set { options.selection = newValue }
  }
  /// What a new store is like.
  public var newStore: NewStore {
    get { options.newStore }
    set { options.newStore = newValue }
  }
  /// How the destination is written.
  public var writing: StoreWriting {
    get { options.writing }
    set { options.writing = newValue }
  }
  /// Whether all objects are added as new ones to a store that holds some already; else that is refused.
  public var appends: Bool {
    get { options.appends }
    set { options.appends = newValue }
  }
  /// Whether it is planned and counted only, and nothing is written.
  public var isDryRun: Bool {
    get { options.isDryRun }
    set { options.isDryRun = newValue }
  }

  private let opener: any StoreOpener

  /// Describes a copy between stores of the kinds that `opener` knows.
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

  /// The copy: its report accounts for every object of the source.
  ///
  /// `planned` comes before the first long step. Where the rules of a merge ask about conflicts, each comes as an event and
  /// waits for its decision. A copy that fails or is stopped leaves the destination as it was; a new store, and one that
  /// gets its rows batch by batch, can be resumed.
  public var operation: DecantOperation<CopyReport> {
    DecantOperation(options.purpose.rawValue, weights) { cancellation, tell throws(DecantError) in
      try perform(cancellation, tell)
    }
  }

  private var weights: PhaseWeights {
    if options.isDryRun { return .preview }
    if options.merge != nil { return .merge }
    return options.takesEverything && !options.appends ? .pages : .copy
  }

  /// Makes the copy as a part of another run.
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
          ConflictQuestion.ask(conflict, problem) { tell(.conflict($0)) }
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
