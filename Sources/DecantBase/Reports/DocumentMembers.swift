internal import DecantJSON

/// An object in a document: its members in the order in which they are read, null where there is no value.
///
/// Every member is in every document of its kind, so that who reads one need not ask whether it is there.
package struct DocumentMembers: Encodable {
  private let members: [(String, any Encodable)]

  /// Describes an object; no name may come twice.
  package init(_ members: [(String, any Encodable)]) { self.members = members }

  /// Describes the whole document of a verb.
  ///
  /// - Parameters:
  ///   - verb: What was asked for.
  ///   - members: What it came to: a list of nothing is empty, and what there is not is null.
  ///   - notes: What a reader should know; their kinds and their words are the last members.
  package init(_ verb: String, _ members: [(String, any Encodable)], notes: [ReportNote]) {
    self.init(
      [("decant", "1.0"), ("verb", verb)] + members
        + [("noteKinds", notes.map(\.kind.name)), ("notes", notes.commandLine)]
    )
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: MemberName.self)
    for (name, value) in members { try container.encode(value, forKey: MemberName(name)) }
  }
}
