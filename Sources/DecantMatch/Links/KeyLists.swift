internal import DecantJSON

/// The numbers in texts that may hold several keys each.
enum KeyLists {
  /// Characters around and between the keys of a list.
  private static let listSigns: Set<UInt8> = [9, 32, 34, 44, 59, 91, 93, 123, 124, 125]
  /// Characters between the keys of a path from the root of a tree to a row, as in `1/2/5` and `1.2.5`.
  private static let pathSigns: [UInt8] = [46, 47]
  /// The maximum length of JSON that is read, in bytes, and the depth of values inside of others.
  private static let (jsonLimit, depthLimit) = (1 << 16, 64)

  static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

  /// Returns the numbers of a list such as `1,5,7`, `["1", "5"]` or `/1/5/`; `nil` if the text contains anything else.
  static func list(_ text: String) -> [Int64]? {
    let isEnclosed = text.utf8.count > 2 && text.utf8.first == 47 && text.utf8.last == 47
    return numbers(in: text) { isEnclosed ? $0 == 47 : listSigns.contains($0) }
  }

  /// Returns the numbers of a path; `nil` if the text contains anything else, or no sign.
  static func path(_ text: String) -> [Int64]? {
    guard let sign = text.utf8.first(where: { !isDigit($0) }) else { return nil }
    return pathSigns.contains(sign) ? numbers(in: text) { $0 == sign } : nil
  }

  private static func numbers(in text: String, isSign: (UInt8) -> Bool) -> [Int64]? {
    guard text.utf8.allSatisfy({ isDigit($0) || isSign($0) }) else { return nil }
    let numbers = text.utf8.split { !isDigit($0) }
    return numbers.isEmpty || numbers.contains { $0.count > 18 } ? nil : numbers.compactMap { Int64(Substring($0)) }
  }

  /// Returns the whole numbers in a JSON text with the names of their members, also of those that hold them in a list or
  /// as texts; `nil` if it is no object or list.
  static func members(_ text: String) -> [(name: String, value: Int64)]? {
    guard text.utf8.count <= jsonLimit, let first = text.utf8.first(where: { $0 > 32 }), first == 0x7b || first == 0x5b
    else { return nil }
    var (text, found) = (text, [(name: String, value: Int64)]())
    do {
      try text.withUTF8 { bytes in
        try withUnsafePointer(to: 0) { empty in
          var reader = JSONReader(UnsafeRawBufferPointer(bytes), empty, depthLimit: depthLimit)
          try read(&reader, "", &found)
          try reader.finish()
        }
      }
    } catch {
      return nil
    }
    return found
  }

  private static func read(_ reader: inout JSONReader, _ name: String, _ found: inout [(name: String, value: Int64)])
    throws
  {
    switch try reader.kind() {
    case .object:
      try reader.object { name, reader in try read(&reader, String(decoding: name, as: UTF8.self), &found) }
    case .array: try reader.array { reader in try read(&reader, name, &found) }
    case .number:
      let (digits, isInteger) = try reader.digits()
      if isInteger, let value = JSONReader.integer(digits) { found.append((name, value)) }
    case .string:
      let digits = try reader.string()
      guard 1...18 ~= digits.count, digits.allSatisfy(isDigit) else { return }
      if let value = JSONReader.integer(digits) { found.append((name, value)) }
    case .true_: try reader.word("true")
    case .false_: try reader.word("false")
    case .null: try reader.word("null")
    }
  }
}
