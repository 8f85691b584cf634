/// One stream of plain bytes in what a `ContainerReader` reads.
package struct ContainerMember: Sendable, Hashable {
  /// What a member may be.
  package enum Kind: Sendable, Hashable {
    /// A file, whose bytes can be read.
    case file
    /// A link to another member or to anything else, without bytes.
    case link
    /// A device or whatever else is no file.
    case other
  }

  /// The name as the innermost archive around it stores it, or `nil` where none is.
  ///
  /// It is data from outside: it may be empty, climb out of a folder, hold zeros, or occur twice. It is
  /// never a path to open.
  package let nameBytes: [UInt8]?

  /// What it is; a zip does not tell links from files.
  package let kind: Kind

  /// How many layers of packing lie around its bytes: 0 for a plain file.
  package let depth: Int

  /// The name as text for a person to read; what is no UTF-8 is replaced.
  package var name: String? { nameBytes.map { String(decoding: $0, as: UTF8.self) } }
}
