/// The members of a line, by name; each occurs at most once.
struct ObjectMembers: OptionSet {
  let rawValue: UInt16
  static let entity = ObjectMembers(rawValue: 1)
  static let id = ObjectMembers(rawValue: 2)
  static let revision = ObjectMembers(rawValue: 4)
  static let key = ObjectMembers(rawValue: 8)
  static let base = ObjectMembers(rawValue: 16)
  static let values = ObjectMembers(rawValue: 32)
  static let columns = ObjectMembers(rawValue: 64)
  static let owners = ObjectMembers(rawValue: 128)
  static let links = ObjectMembers(rawValue: 256)
  static let more = ObjectMembers(rawValue: 512)
  static let reject = ObjectMembers(rawValue: 1024)

  init(rawValue: UInt16) { self.rawValue = rawValue }

  init?(_ name: UnsafeRawBufferPointer) {
    switch name.count {
    case 1:
      switch name[0] {
      case 0x65: self = .entity
      case 0x76: self = .values
      case 0x72: self = .links
      default: return nil
      }
    case 2:
      switch (name[0], name[1]) {
      case (0x69, 0x64): self = .id
      case (0x6f, 0x66): self = .owners
      default: return nil
      }
    default:
      switch String(decoding: name, as: UTF8.self) {
      case "key": self = .key
      case "base": self = .base
      case "more": self = .more
      case "columns": self = .columns
      case "revision": self = .revision
      case "reject": self = .reject
      default: return nil
      }
    }
  }
}
