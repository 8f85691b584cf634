public import DecantBase
public import DecantPlan

/// What an examination of a store found.
public struct DoctorReport: Sendable, Hashable {
  /// The store that was examined.
  public var store: StoreIdentity
  /// How many objects were read.
  public var objectCount: Int64
  /// How many links were followed, each counted once; `nil` where no model says what a link is.
  public var linkCount: Int64?
  /// How many external files were looked for.
  public var externalFileCount: Int64
  /// Whether links that nothing declares were searched for: in a plain database, whose columns can be compared.
  public var searchedLinks: Bool
  /// What was found, damage first; empty for a healthy store.
  public var findings: [Finding]
  /// What a reader should know besides.
  public var notes: [ReportNote]

  /// Describes what an examination found.
  public init(
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

  /// Whether nothing was found.
  public var isHealthy: Bool { findings.isEmpty }

  /// Something that was found, and what mends it.
  public struct Finding: Sendable, Hashable {
    /// What was found.
    public var problem: StoreProblem
    /// What can be done about it, in one line.
    public var advice: String { what.description }
    /// The advice, with its options as values.
    package var what: DecantError.Text
    /// The command for it, as a shell takes it; `nil` where none mends it alone.
    public var command: String?

    /// Describes a finding.
    public init(problem: StoreProblem, advice: String, command: String? = nil) {
      self.init(problem: problem, DecantError.Text(advice), command: command)
    }

    package init(problem: StoreProblem, _ advice: DecantError.Text, command: String?) {
      (self.problem, what, self.command) = (problem, advice, command)
    }
  }
}
