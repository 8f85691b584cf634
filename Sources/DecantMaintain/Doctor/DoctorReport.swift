public import DecantBase
public import DecantPlan

/// The result of an examination of a store.
public struct DoctorReport: Sendable, Hashable {
  /// The store that was examined.
  public var store: StoreIdentity
  /// The number of objects that were read.
  public var objectCount: Int64
  /// The number of links that were followed, each counted once; `nil` if no model defines the links.
  public var linkCount: Int64?
  /// The number of external files that were checked.
  public var externalFileCount: Int64
  /// Whether undeclared links were searched, which is done in plain databases.
  public var searchedLinks: Bool
  /// The findings, damage first; empty for a healthy store.
  public var findings: [Finding]
  /// Further notes for the reader.
  public var notes: [ReportNote]

  /// Creates a report.
  package init(
    store: StoreIdentity,
    objectCount: Int64,
    linkCount: Int64?,
    externalFileCount: Int64,
    searchedLinks: Bool,
    findings: [Finding],
    notes: [ReportNote] = []
  ) {
    (self.store, self.objectCount, self.linkCount) = (store, objectCount, linkCount)
    (self.externalFileCount, self.searchedLinks) = (externalFileCount, searchedLinks)
    (self.findings, self.notes) = (findings, notes)
  }

  /// Whether there are no findings.
  public var isHealthy: Bool { findings.isEmpty }

  /// A problem, and its remedy.
  public struct Finding: Sendable, Hashable {
    /// The problem.
    public var problem: StoreProblem
    /// The remedy, in one line.
    public var advice: String { what.description }
    /// The remedy, with its options as values.
    package var what: DecantError.Text
    /// The shell command of the remedy; `nil` if no single command solves the problem.
    public var command: String?

    /// Creates a finding.
    package init(problem: StoreProblem, advice: String, command: String? = nil) {
      self.init(problem: problem, DecantError.Text(advice), command: command)
    }

    package init(problem: StoreProblem, _ advice: DecantError.Text, command: String?) {
      (self.problem, what, self.command) = (problem, advice, command)
    }
  }
}
