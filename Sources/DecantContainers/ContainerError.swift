/// The reason why bytes could not be unpacked or packed.
///
/// If a case has `at`, that is a byte offset in the packed bytes: in those of the file or, for a container in a
/// container, in those of the inner one. The fault is there or shortly before.
package enum ContainerError: Error, Sendable, Hashable {
  /// The bytes do not conform to their format.
  case damaged(String, at: Int? = nil)
  /// The bytes end before their content is complete.
  case truncated(String, at: Int)
  /// A password is needed.
  case encrypted(at: Int)
  /// The bytes may be intact, but use an unsupported compression.
  case unsupported(String, at: Int? = nil)
  /// The input is empty.
  case empty
  /// The unpacked content is larger than the caller allows.
  case tooLarge(limit: Int)
  /// A limit of `ContainerLimits` is exceeded: its kind and its value.
  case exceeded(ContainerLimits.Kind, limit: Int)
  /// A level is outside the range of the compression, or the compression has no levels.
  case invalidLevel(Int, compression: String, allowed: ClosedRange<Int>?)
  /// A system call failed with this `errno`.
  case system(String, errno: Int32)
  /// Memory could not be allocated.
  case outOfMemory
}

extension ContainerError: CustomStringConvertible {
  /// The error, in a sentence without a full stop.
  package var description: String {
    switch self {
    case .damaged(let what, nil): "the packed data is damaged: \(what)"
    case .damaged(let what, let place?): "the packed data is damaged near byte \(place): \(what)"
    case .truncated(let what, let place): "the packed data ends at byte \(place), within \(what)"
    case .encrypted(let place): "the packed data is encrypted, at byte \(place)"
    case .unsupported(let what, nil): "the packed data cannot be read: \(what)"
    case .unsupported(let what, let place?):
      "the packed data cannot be read at byte \(place): \(what)"
    case .empty: "there is nothing to read: the input is empty"
    case .tooLarge(let limit): "the packed data unpacks to more than \(limit) bytes"
    case .exceeded(.totalByteCount, let limit): "the data unpacks to more than \(limit) bytes"
    case .exceeded(.memberCount, let limit): "the data has more than \(limit) members"
    case .exceeded(.depth, let limit): "containers are nested more than \(limit) levels deep"
    case .exceeded(.expansion, let limit):
      "the data unpacks to more than \(limit) times its size, like a decompression bomb"
    case .invalidLevel(let level, let compression, nil):
      "level \(level) is not valid: \(compression) has no levels"
    case .invalidLevel(let level, let compression, let allowed?):
      "level \(level) is not valid for \(compression): use "
        + "\(allowed.lowerBound) to \(allowed.upperBound)"
    case .system(let call, let errno): "\(call) failed: \(systemMessage(errno))"
    case .outOfMemory: "there is not enough memory to pack or unpack the data"
    }
  }
}
