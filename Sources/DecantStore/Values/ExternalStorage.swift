package import DecantBase

/// Where a store keeps values in files of their own, and how a value refers to its file.
package protocol ExternalStorage: Sendable {
  /// The folder that holds the files; it need not exist.
  var folder: String { get }

  /// Returns the name of the file that `value` refers to, or `nil` for a value that is held inline.
  ///
  /// What comes back is a plain name within the folder, whatever the value says.
  func fileName(in value: UnsafeRawBufferPointer) -> String?

  /// Whether a value has a form of this storage: that it is held inline, or refers to a file.
  ///
  /// - Parameters:
  ///   - start: The beginning of the value: a byte at least, and all of it where it may be a reference.
  ///   - byteCount: The length of the whole value.
  /// - Returns: Whether the form is known; a file that is referred to need not be there.
  func recognizes(_ start: UnsafeRawBufferPointer, byteCount: Int64) -> Bool

  /// Returns the bytes of a value that is held inline, without what says so in front of them.
  func inlineContent(of value: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer

  /// Returns the value that refers to the file `name`.
  func reference(to name: String) -> [UInt8]

  /// Returns a name that follows from `seed` alone and that no other seed gives.
  func newFileName(after seed: String) -> String
}

extension ExternalStorage {
  /// Whether the folder, or the one it lies in, is a link: what is behind it belongs to somebody else,
  /// and is neither read nor written.
  package var leadsElsewhere: Bool {
    [folder, Files.folder(of: folder)].contains { FileStatus(unfollowed: $0)?.isLink == true }
  }

  /// Returns the path of the file that `value` refers to, if it is there: a plain file, not a link.
  package func file(for value: UnsafeRawBufferPointer) -> String? {
    guard let name = fileName(in: value), !leadsElsewhere else { return nil }
    let path = "\(folder)/\(name)"
    return FileStatus(unfollowed: path)?.isFile == true ? path : nil
  }

  /// Returns why nobody can tell whether the file that `value` refers to is there: a folder that may
  /// not be looked into is no lost file.
  package func obstacle(before value: UnsafeRawBufferPointer) -> SystemError? {
    guard let name = fileName(in: value), !leadsElsewhere else { return nil }
    do throws(SystemError) {
      _ = try FileStatus.look(at: "\(folder)/\(name)")
      return nil
    } catch {
      return error
    }
  }
}
