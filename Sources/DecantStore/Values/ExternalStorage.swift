package import DecantBase

/// The storage of values in files of their own, and the references to them.
package protocol ExternalStorage: Sendable {
  /// The folder of the files; it need not exist.
  var folder: String { get }

  /// Returns the name of the file that `value` refers to, or `nil` for an inline value.
  ///
  /// The result is always a plain name within the folder.
  func fileName(in value: UnsafeRawBufferPointer) -> String?

  /// Returns whether a value has a form of this storage: inline, or a reference to a file.
  ///
  /// - Parameters:
  ///   - start: The beginning of the value: at least one byte, and all of it if it may be a reference.
  ///   - byteCount: The length of the whole value.
  /// - Returns: Whether the form is valid; a referenced file need not exist.
  func recognizes(_ start: UnsafeRawBufferPointer, byteCount: Int64) -> Bool

  /// Returns the bytes of an inline value, without its mark.
  func inlineContent(of value: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer

  /// Returns the value that refers to the file `name`.
  func reference(to name: String) -> [UInt8]

  /// Returns a name that depends only on `seed` and is different for every seed.
  func newFileName(after seed: String) -> String
}

extension ExternalStorage {
  /// Whether the folder or its parent is a link: its target belongs to someone else, and is neither read nor written.
  package var leadsElsewhere: Bool {
    [folder, Files.folder(of: folder)].contains { FileStatus(unfollowed: $0)?.isLink == true }
  }

  /// Returns the path of the file that `value` refers to, if it exists as a regular file, not a link.
  package func file(for value: UnsafeRawBufferPointer) -> String? {
    guard let name = fileName(in: value), !leadsElsewhere else { return nil }
    let path = "\(folder)/\(name)"
    return FileStatus(unfollowed: path)?.isFile == true ? path : nil
  }

  /// Returns why the existence of the file that `value` refers to is unknown: a file in an inaccessible folder, or
  /// behind a link, is not missing.
  package func obstacle(before value: UnsafeRawBufferPointer) -> SystemError? {
    guard let name = fileName(in: value) else { return nil }
    guard !leadsElsewhere else { return SystemError("read through the link", folder, code: SystemError.link) }
    do throws(SystemError) {
      _ = try FileStatus.look(at: "\(folder)/\(name)")
      return nil
    } catch {
      return error
    }
  }
}
