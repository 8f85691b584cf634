/// One stream of plain bytes in the input of a `ContainerReader`.
package struct ContainerMember: Sendable, Hashable {
  /// The kind of a member.
  package enum Kind: Sendable, Hashable {
    /// A file with content.
    case file
    /// A link to another member or elsewhere, without content.
    case link
    /// A device or another special file.
    case other
  }

  /// The name as stored in the innermost archive, or `nil` outside an archive.
  ///
  /// It is untrusted data: it may be empty, lead out of a folder, contain null bytes, or occur twice. Never use it as a
  /// path to open.
  package let nameBytes: [UInt8]?

  /// The kind; a zip does not distinguish links from files.
  package let kind: Kind

  /// The number of compression layers around the content: 0 for a plain file.
  package let depth: Int

  /// The modification time in nanoseconds since 1970, if the archive contains it.
  package var changed: Int64?

  /// The name as text for display; invalid UTF-8 is replaced.
  package var name: String? { nameBytes.map { String(decoding: $0, as: UTF8.self) } }
}
