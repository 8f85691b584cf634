internal import DecantBase
internal import DecantStore
internal import DecantDigests

/// The external files of a Core Data store: `.NAME_SUPPORT/_EXTERNAL_DATA/<UUID>`.
///
/// A value of an attribute that allows external storage begins with a tag: 1, followed by the bytes themselves; or 2,
/// followed by the file's name in 36 characters and a zero byte.
package struct CoreDataExternalStorage: ExternalStorage {
  package let folder: String

  /// Describes the storage of the store at `place`.
  package init(store place: String) {
    // The files are beside the store itself, not beside a link to it.
    let path = Files.resolved(place)
    let name = Files.name(of: path)
    let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    folder = "\(Files.folder(of: path))/.\(stem.isEmpty ? name : stem)_SUPPORT/_EXTERNAL_DATA"
  }

  func fileName(in value: UnsafeRawBufferPointer) -> String? {
    guard value.count == 38, value[0] == 2, value[37] == 0 else { return nil }
    let name = value[1..<37]
    // Only a UUID: a name with a slash or dots could lead out of the folder.
    let isPlain = name.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
        || byte == 0x2d
    }
    return isPlain ? String(decoding: name, as: UTF8.self) : nil
  }

  func recognizes(_ start: UnsafeRawBufferPointer, byteCount: Int64) -> Bool {
    start.first == 1 || (byteCount == Int64(start.count) && fileName(in: start) != nil)
  }

  func inlineContent(of value: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    value.first == 1 ? UnsafeRawBufferPointer(rebasing: value.dropFirst()) : value
  }

  /// The tag of a value that is stored inline.
  static let inlineMark: [UInt8] = [1]

  func reference(to name: String) -> [UInt8] { [2] + Array(name.utf8) + [0] }

  func newFileName(after seed: String) -> String {
    StoreMetadata.uuid(of: Array(SHA2.sha256(Array(seed.utf8)).prefix(16)))
  }
}
