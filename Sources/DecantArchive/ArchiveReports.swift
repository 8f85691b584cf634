public import DecantBase

/// The reports of several archives, as one document.
public struct ArchiveReports: Sendable, Hashable, Encodable {
  /// The command: `import` or `export`.
  public var verb: String
  /// A report for each archive, in order.
  public var archives: [CopyReport]

  /// Collects the reports of a run.
  public init(verb: String, archives: [CopyReport]) {
    (self.verb, self.archives) = (verb, archives)
  }

  /// Encodes the document of `decant import` or `decant export` with several archives.
  public func encode(to encoder: any Encoder) throws {
    try DocumentMembers(verb, [("archives", archives)], notes: []).encode(to: encoder)
  }
}
