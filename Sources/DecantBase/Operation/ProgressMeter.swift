/// The phases of a run in order, and the usual share of time of each.
///
/// The shares of copies, merges, imports and exports were measured on 10,000 recipes, those of comparisons on tables of
/// 300,000 and of 2 million rows with two secondary indexes, those of the other verbs on 600,000 rows. They need not
/// add up to one.
package struct PhaseWeights: Sendable {
  private let weights: [(phase: Phase, weight: Double)]

  package init(_ weights: KeyValuePairs<Phase, Double>) {
    let sum = weights.reduce(0) { $0 + $1.value }
    self.weights = weights.map { ($0.key, $0.value / sum) }
  }

  /// Returns the start and the end of the phase as shares of the whole; `nil` for an unexpected phase.
  func span(of phase: Phase) -> ClosedRange<Double>? {
    var start = 0.0
    for (other, weight) in weights {
      if other == phase { return start...(start + weight) }
      start += weight
    }
    return nil
  }

  package static let copy = PhaseWeights([
    .resolve: 0.25, .duplicate: 0.03, .copy: 0.27, .index: 0.06, .check: 0.35, .publish: 0.04,
  ])
  /// A page-by-page copy of the source.
  package static let pages = PhaseWeights([
    .resolve: 0.35, .copy: 0.23, .index: 0.02, .check: 0.38, .publish: 0.02,
  ])
  package static let merge = PhaseWeights([
    .read: 0.05, .resolve: 0.65, .duplicate: 0.02, .copy: 0.12, .index: 0.01, .check: 0.13,
    .publish: 0.02,
  ])
  package static let `import` = PhaseWeights([
    .read: 0.5, .resolve: 0.05, .duplicate: 0.02, .copy: 0.13, .index: 0.02, .check: 0.25,
    .publish: 0.03,
  ])
  package static let export = PhaseWeights([
    .read: 0.03, .resolve: 0.16, .copy: 0.57, .index: 0.01, .check: 0.22, .publish: 0.01,
  ])
  /// A dry run of a copy or a merge.
  package static let preview = PhaseWeights([.read: 0.05, .resolve: 0.95])
  /// A dry run of an import, which reads its files first.
  package static let importPreview = PhaseWeights([.read: 0.8, .resolve: 0.2])
  package static let rollback = PhaseWeights([.read: 0.05, .check: 0.89, .publish: 0.06])
  package static let compare = PhaseWeights([.read: 0.06, .resolve: 0.76, .check: 0.18])
  /// A comparison of a store through a mapping, which copies it first.
  package static let mappedCompare = PhaseWeights([.read: 0.2, .resolve: 0.66, .check: 0.14])
  /// A comparison whose differences are written out.
  package static let comparePage = PhaseWeights([.read: 0.03, .resolve: 0.74, .check: 0.2, .copy: 0.03])
  package static let mappedComparePage = PhaseWeights([.read: 0.23, .resolve: 0.6, .check: 0.15, .copy: 0.02])
  package static let patch = PhaseWeights([.read: 0.01, .check: 0.03, .resolve: 0.96])
  package static let query = PhaseWeights([.read: 0.02, .check: 0.05, .copy: 0.93])
  package static let inspect = PhaseWeights([.read: 0.13, .resolve: 0.86, .check: 0.01])
  /// The copies that a job on recipes makes of a store that is not read in place.
  package static let recipes = PhaseWeights([.resolve: 0.45, .copy: 0.47, .index: 0.06, .publish: 0.02])
  package static let clean = PhaseWeights([
    .read: 0.06, .duplicate: 0.03, .resolve: 0.4, .copy: 0.09, .check: 0.4, .publish: 0.02,
  ])
  package static let change = PhaseWeights([
    .read: 0.1, .resolve: 0.4, .copy: 0.3, .check: 0.17, .publish: 0.03,
  ])
}

/// The completed share of a run.
struct ProgressMeter {
  private let weights: PhaseWeights
  private(set) var fraction = 0.0
  /// The part of the whole that is in progress.
  private var part = 0.0...1.0
  private var partCount = 1
  /// The start of the parts; work for all of them comes before.
  private var partsStart = 0.0
  /// The share of a part's phases that was done before the part.
  private var skipped: Double? = 0

  init(_ weights: PhaseWeights) { self.weights = weights }

  /// Updates the fraction for an event.
  mutating func take(_ event: WorkEvent) {
    switch event {
    case .stages(let stages): partCount = max(1, stages.count)
    case .stage(_, let number): begin(number, of: partCount)
    case .part(let number, let count): begin(number, of: count)
    case .began(let phase):
      guard let span = weights.span(of: phase) else { return }
      skipped = skipped ?? min(span.lowerBound, 0.99)
      raise(to: span.lowerBound)
    case .progress(let progress):
      guard let span = weights.span(of: progress.phase), let part = progress.fraction else {
        return
      }
      raise(to: span.lowerBound + part * (span.upperBound - span.lowerBound))
    case .planned, .note, .conflict, .made: break
    }
  }

  private mutating func begin(_ number: Int, of count: Int) {
    if number == 0 {
      // Its phases end with the search, which is two thirds of a merge: 0.4 of all merges with their planning.
      part = fraction...(fraction + 0.6 * (1 - fraction))
      skipped = nil
      return
    }
    if number <= 1 { partsStart = fraction }
    let width = (1 - partsStart) / Double(max(1, count))
    let start = min(1, partsStart + Double(max(1, number) - 1) * width)
    part = start...min(1, start + width)
    skipped = nil
    fraction = max(fraction, start)
  }

  /// Raises the fraction to the completed share of the current part; the whole is complete only with the report.
  private mutating func raise(to done: Double) {
    let skipped = skipped ?? 0
    let own = max(0, (done - skipped) / (1 - skipped))
    let all = part.lowerBound + own * (part.upperBound - part.lowerBound)
    fraction = max(fraction, min(all, 0.999))
  }
}
