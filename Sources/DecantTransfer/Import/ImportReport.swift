public import DecantBase

/// The result of an import: a report for each archive, in the order in which their first parts were named.
public struct ImportReport: Sendable, Hashable, Encodable, RandomAccessCollection {
  /// The reports.
  public var archives: [CopyReport]

  /// Collects the reports of a run.
  package init(_ archives: [CopyReport]) { self.archives = archives }

  public var startIndex: Int { archives.startIndex }
  public var endIndex: Int { archives.endIndex }
  public subscript(position: Int) -> CopyReport { archives[position] }

  /// Encodes the document of `decant import`: the report of a single archive itself, otherwise a list.
  public func encode(to encoder: any Encoder) throws {
    guard archives.count != 1 else { return try archives[0].encode(to: encoder) }
    try DocumentMembers("import", [("archives", archives)], notes: []).encode(to: encoder)
  }
}

extension ImportReport: CountedReport {
  package var counts: [(String, any Encodable)] {
    [
      ("copied", reduce(0) { $0 + $1.copiedCount }), ("rejected", reduce(0) { $0 + $1.rejectedCount }),
      ("verified", allSatisfy(\.isVerified)),
    ]
  }
}
