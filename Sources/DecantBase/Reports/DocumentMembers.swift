internal import DecantJSON

/// A JSON object of a document: its members in order, null for a missing value.
///
/// Every document of a kind has all members, so a reader need not check for them.
package struct DocumentMembers: Encodable {
  private let members: [(String, any Encodable)]

  /// Describes an object; names must be unique.
  package init(_ members: [(String, any Encodable)]) { self.members = members }

  /// Describes the whole document of a verb.
  ///
  /// - Parameters:
  ///   - verb: The verb.
  ///   - members: The results; an empty list is encoded as such, a missing value as null.
  ///   - notes: Notes for the reader; their kinds and their texts are the last members.
  package init(_ verb: String, _ members: [(String, any Encodable)], notes: [ReportNote]) {
    self.init(
      [("decant", "1.0"), ("verb", verb)] + members
        + [("noteKinds", notes.map(\.kind.rawValue)), ("notes", notes.commandLine)]
    )
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: MemberName.self)
    for (name, value) in members { try container.encode(value, forKey: MemberName(name)) }
  }
}
