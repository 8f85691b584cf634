public import DecantBase
public import DecantPlan
public import DecantStore

/// A merge of stores into an existing one: objects in both are present once afterwards.
///
/// The value can be stored and run again; nothing is opened before it runs. Several sources are merged one after the
/// other, each in its own transaction.
///
/// ```swift
/// var merge = Merge(["Guests.sqlite"], into: "Kitchen.sqlite", rules: MergeRules(.newest))
/// let preview = try merge.preview(listing: 20).run()
/// let outcome = try merge.run()
/// ```
public struct Merge: Runnable {
  /// The stores to merge; none of them is changed.
  public let sources: [StoreLocation]
  /// The store they are merged into.
  public let destination: StoreLocation
  package var options: CopyOptions
  /// Whether sources are skipped that have not changed since they were last merged into the destination by the same
  /// rules; the destination must be a database on a server, which records the sources.
  ///
  /// Rows that others deleted or changed there since are not merged again.
  public var skipsUnchanged = false
  /// The kinds of stores that can be opened.
  let kinds: StoreKinds

  /// Describes a merge of stores, each `[kind:]place`.
  ///
  /// - Parameters:
  ///   - sources: The stores to merge.
  ///   - destination: The store they are merged into; it must exist.
  ///   - rules: How objects are matched and conflicts resolved.
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

  /// How objects are matched and conflicts resolved.
  public var rules: MergeRules {
    get { options.merge ?? MergeRules(.skip) }
    set { options.merge = newValue }
  }
  /// How the sources are read.
  public var reading: SourceReading {
    get { options.reading }
    set { options.reading = newValue }
  }
  /// The selection of objects and values.
  public var selection: Selection {
    get { options.selection }
    set { options.selection = newValue }
  }
  /// How the destination is written.
  public var writing: StoreWriting {
    get { options.writing }
    set { options.writing = newValue }
  }

  /// The result of a merge of several sources.
  public struct Outcome: Sendable {
    /// The reports of the merged sources, in order.
    public var reports: [CopyReport] = []
    /// The sources that were not merged.
    public var left: [StoreLocation] = []
    /// The error that stopped the merge at the first of them, and how to continue.
    public var failure: DecantError?
    /// The sources that were skipped, as they have not changed since they were merged.
    public var skipped: [Skipped] = []

    /// Creates a result.
    package init(reports: [CopyReport] = [], left: [StoreLocation] = [], failure: DecantError? = nil) {
      (self.reports, self.left, self.failure) = (reports, left, failure)
    }

    /// A source that was skipped.
    public struct Skipped: Sendable, Hashable {
      public var source: StoreLocation
      /// When it was merged, in ISO 8601.
      public var merged: String
    }

    /// Notes for the reader about all sources.
    public var notes: [ReportNote] {
      guard !skipped.isEmpty else { return [] }
      return [
        ReportNote(
          .sourcesSkipped,
          "\(Int64(skipped.count).counted("source")) skipped: unchanged since \(skipped.count == 1 ? "it was" : "they were") merged"
        )
      ]
    }
  }

  /// The merge: the outcome of each source, with a failure if a source failed after others were merged.
  ///
  /// Every merge is planned before anything is written, so that a source that cannot be merged changes nothing. If the
  /// merge is cancelled, nothing of the current source remains.
  public var operation: DecantOperation<Outcome> {
    DecantOperation("merge", options.isDryRun ? .preview : .merge) {
      cancellation,
      tell throws(DecantError) in
      try withoutActuallyEscaping(tell) { tell throws(DecantError) in
        try perform(cancellation, tell)
      }
    }
  }

  /// Returns the operation that reports what the merge would do; nothing is written.
  ///
  /// Each source is counted as if those before it had been merged, in a temporary copy of the destination.
  ///
  /// - Parameter count: The number of objects to list for each entity and outcome, with the values of both sides.
  /// - Returns: The operation, whose reports have a `preview`.
  public func preview(listing count: Int = 0) -> DecantOperation<Outcome> {
    var merge = self
    (merge.options.isDryRun, merge.options.listedObjectCount) = (true, count)
    return merge.operation
  }
}
