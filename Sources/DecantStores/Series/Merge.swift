public import Decant

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
  private var options = CopyOptions()

  /// Describes a merge of stores, each `[kind:]place`.
  ///
  /// - Parameters:
  ///   - sources: The stores that are merged.
  ///   - destination: The store they are merged into; it has to be there.
  ///   - rules: What makes two objects the same, and what becomes of those that differ.
  public init(_ sources: [String], into destination: String, rules: MergeRules = MergeRules(.skip))
  {
    self.sources = sources.map(StoreKinds.location)
    self.destination = StoreKinds.location(destination)
    options.verb = "merge"
    options.merge = rules
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

  /// The merge; what became of each source, with a failure where some were merged before another failed.
  ///
  /// What becomes of each is planned before anything is written, so that a store that cannot be merged at all changes
  /// nothing. A merge that is stopped leaves nothing of the source at hand.
  public var operation: DecantOperation<MergeSeries.Outcome> { operation(options) }

  /// What the merge would do; nothing is written.
  ///
  /// - Parameter count: How many objects of each entity and outcome are named, with what both sides hold.
  /// - Returns: The operation, whose reports have a `preview`.
  public func preview(listing count: Int = 0) -> DecantOperation<MergeSeries.Outcome> {
    var options = options
    (options.isDryRun, options.listedObjectCount) = (true, count)
    return operation(options)
  }

  private func operation(_ options: CopyOptions) -> DecantOperation<MergeSeries.Outcome> {
    guard let source = sources.first, sources.count == 1 else {
      return MergeSeries(sources, into: destination, options: options).operation
    }
    let copy = Copy(from: source, to: destination, options: options, opener: StoreKinds())
    return DecantOperation("merge", .merge) { cancellation, tell throws(DecantError) in
      var outcome = MergeSeries.Outcome()
      outcome.reports = [try copy.perform(cancellation, tell)]
      return outcome
    }
  }
}
