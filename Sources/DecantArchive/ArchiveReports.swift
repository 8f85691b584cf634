public import DecantBase

/// What became of several archives, as one document.
public struct ArchiveReports: Sendable, Hashable, Encodable {
  /// What was asked for: `import` or `export`.
  public var verb: String
  /// A report for each archive, in their order.
  public var archives: [CopyReport]

  /// Gathers the reports of a run.
  public init(verb: String, archives: [CopyReport]) {
    (self.verb, self.archives) = (verb, archives)
  }

  /// Encodes the document of `decant import` or `decant export` with several archives.
  public func encode(to encoder: any Encoder) throws {
    try DocumentMembers(verb, [("archives", archives)], notes: []).encode(to: encoder)
  }
}
