/// Why packed bytes could not be unpacked, or plain ones not packed.
public enum ContainerError: Error, Sendable, Hashable {
  /// The bytes are not what their format promises, or they end too early.
  case damaged(String)
  /// What the bytes unpack to is larger than the caller allows.
  case tooLarge(limit: Int)
  /// There was no memory for the work.
  case outOfMemory
}

extension ContainerError: CustomStringConvertible {
  /// What went wrong, in a sentence without a full stop.
  public var description: String {
    switch self {
    case .damaged(let what): "the packed data is damaged: \(what)"
    case .tooLarge(let limit): "the packed data unpacks to more than \(limit) bytes"
    case .outOfMemory: "there is not enough memory to pack or unpack the data"
    }
  }
}
