public import DecantBase
public import DecantPlan
public import DecantStore

/// A merge of stores into one that is there: what both have is there once afterwards.
///
/// A value that can be kept and run again; nothing is opened before it runs. Of several sources each is merged in its own
/// transaction, one after the other.
///
/// ```swift
/// var merge = Merge(["Guests.sqlite"], into: "Kitchen.sqlite", rules: MergeRules(.newest))
/// let preview = try merge.preview(listing: 20).run()
/// let outcome = try merge.run()
/// ```
public struct Merge: Runnable {
  /// The stores that are merged; none of them is ever changed.
  public let sources: [StoreLocation]
  /// The store they are merged into.
  public let destination: StoreLocation
  package var options: CopyOptions
  /// What opens the stores.
  let kinds: StoreKinds

  /// Describes a merge of stores, each `[kind:]place`.
  ///
  /// - Parameters:
  ///   - sources: The stores that are merged.
  ///   - destination: The store they are merged into; it has to be there.
  ///   - rules: What makes two objects the same, and what becomes of those that differ.
  public init(_ sources: [String], into destination: String, rules: MergeRules = MergeRules(.skip)) {
    var options = CopyOptions()
    options.purpose = .merge
    options.merge = rules
    self.init(sources, into: destination, options: options)
  }

  package init(
    _ sources: [String],
    into destination: String,
    options: CopyOptions,
    kinds: StoreKinds = .known
  ) {
    self.sources = sources.map(kinds.location)
    self.destination = kinds.location(destination)
    self.options = options
    self.kinds = kinds
  }

  /// What makes two objects the same, and what becomes of those that differ.
  public var rules: MergeRules {
    get { options.merge ?? MergeRules(.skip) }
    set { options.merge = newValue }
  }
  /// How the sources are read.
  public var reading: SourceReading {
    get { options.reading }
    set { options.reading = newValue }
  }
  /// What of the sources is taken.
  public var selection: Selection {
    get { options.selection }
    set { options.selection = newValue }
  }
  /// How the destination is written.
  public var writing: StoreWriting {
    get { options.writing }
    set { options.writing = newValue }
  }

  /// What became of the sources.
  public struct Outcome: Sendable {
    /// A report for each source that was merged, in their order.
    public var reports: [CopyReport] = []
    /// The sources that were not.
    public var left: [StoreLocation] = []
    /// Why not: what ended the merge of the first of them, and how to go on.
    public var failure: DecantError?

    /// Describes what became of the sources.
    public init(reports: [CopyReport] = [], left: [StoreLocation] = [], failure: DecantError? = nil) {
      (self.reports, self.left, self.failure) = (reports, left, failure)
    }
  }

  /// The merge: what became of each source, with a failure where some were merged before another failed.
  ///
  /// What becomes of each is planned before anything is written, so that a store that cannot be merged at all changes
  /// nothing. A merge that is stopped leaves nothing of the source at hand.
  public var operation: DecantOperation<Outcome> {
    DecantOperation("merge", options.isDryRun ? .preview : .merge) {
      cancellation,
      tell throws(DecantError) in
      try withoutActuallyEscaping(tell) { tell throws(DecantError) in
        try perform(cancellation, tell)
      }
    }
  }

  /// What the merge would do; nothing is written.
  ///
  /// Of several sources each is counted as if those before it had been merged, into a temporary copy of the destination.
  ///
  /// - Parameter count: How many objects of each entity and outcome are named, with what both sides hold.
  /// - Returns: The operation, whose reports have a `preview`.
  public func preview(listing count: Int = 0) -> DecantOperation<Outcome> {
    var merge = self
    (merge.options.isDryRun, merge.options.listedObjectCount) = (true, count)
    return merge.operation
  }
}
