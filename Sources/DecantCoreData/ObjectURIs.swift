internal import DecantPlan

/// The URIs of Core Data objects: `x-coredata://STORE-UUID/Entity/p12`.
///
/// The number after the “p” is the object's key among all objects of its root entity. An object that was never saved
/// has a “t” and a temporary identifier instead, and often no store.
package struct ObjectURIs: ReferenceNotation {
  package init() {
  }
  private static let start = "x-coredata://"

  func reference(in text: String) -> ObjectReference? {
    guard text.utf8.count > ObjectURIs.start.utf8.count,
      text.utf8.prefix(ObjectURIs.start.utf8.count).elementsEqual(ObjectURIs.start.utf8)
    else { return nil }
    let rest = text.utf8.dropFirst(ObjectURIs.start.utf8.count)
    let parts = rest.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[1].isEmpty, let entity = ObjectURIs.plain(parts[1]) else {
      return nil
    }
    let digits = parts[2].dropFirst()
    switch parts[2].first {
    case UInt8(ascii: "t"): return .temporary
    case UInt8(ascii: "p"):
      // In the form of Core Data: only digits, and no leading zeros.
      guard !parts[0].isEmpty, let name = String(digits), let key = Int64(name),
        digits.allSatisfy({ (48...57).contains($0) }), String(key) == name,
        let store = String(parts[0])
      else { return nil }
      return .object(store: store, entity: entity, key: key)
    default: return nil
    }
  }

  func text(store: String, entity: String, key: Int64) -> String {
    "\(ObjectURIs.start)\(store)/\(ObjectURIs.escaped(entity))/p\(key)"
  }

  /// The characters that need no escaping in a path.
  private static let plainBytes = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=:@".utf8
  )

  private static func escaped(_ name: String) -> String {
    var bytes: [UInt8] = []
    for byte in name.utf8 {
      guard !plainBytes.contains(byte) else {
        bytes.append(byte)
        continue
      }
      let digits = Array("0123456789ABCDEF".utf8)
      bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns a component of a path, unescaped; `nil` if it is invalid.
  private static func plain(_ part: Substring.UTF8View) -> String? {
    guard part.contains(UInt8(ascii: "%")) else { return String(part) }
    var bytes: [UInt8] = []
    var rest = part
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(value), let low = rest.popFirst().flatMap(value)
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case 48...57: digit - 48
    case 65...70: digit - 55
    case 97...102: digit - 87
    default: nil
    }
  }
}
