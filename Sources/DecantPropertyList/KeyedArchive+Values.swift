// The values of objects of Foundation's classes. Each of these is `nil` for an object of another class.
extension KeyedArchive.Node {
  /// The text of a string.
  package var string: String? {
    switch value {
    case .string(let text): text
    case .dictionary:
      switch self["NS.string"]?.value ?? self["NS.bytes"]?.value {
      case .string(let text)?: text
      case .data(let bytes)?: String(decoding: bytes, as: UTF8.self)
      default: nil
      }
    default: nil
    }
  }

  /// The value of an integer, or a Boolean as 0 or 1.
  package var integer: Int64? {
    switch value {
    case .integer(let number): number
    case .boolean(let isTrue): isTrue ? 1 : 0
    case .real(let number): Self.whole(number)
    default: nil
    }
  }

  /// The value of a number.
  package var real: Double? {
    if case .real(let number) = value { return number }
    return integer.map(Double.init) ?? decimal.flatMap { Double($0) }
  }

  /// The value of a Boolean, or of a number as in C.
  package var boolean: Bool? {
    integer.map { $0 != 0 }
  }

  /// The seconds since 2001-01-01 00:00 UTC of an `NSDate`.
  package var date: Double? {
    if case .date(let seconds) = value { return seconds }
    return self["NS.time"]?.real
  }

  /// The bytes of an `NSData`.
  package var data: [UInt8]? {
    if case .data(let bytes) = value { return bytes }
    guard case .data(let bytes)? = self["NS.data"]?.value else { return nil }
    return bytes
  }

  /// The sixteen bytes of an `NSUUID`.
  package var uuid: [UInt8]? {
    guard case .data(let bytes)? = self["NS.uuidbytes"]?.value, bytes.count == 16 else {
      return nil
    }
    return bytes
  }

  /// The text of an `NSURL`; a relative one without its base.
  package var url: String? {
    self["NS.relative"]?.string
  }

  /// The digits of an `NSDecimalNumber`, without an exponent.
  package var decimal: String? {
    guard case .data(let mantissa)? = self["NS.mantissa"]?.value, mantissa.count <= 16,
      let exponent = self["NS.exponent"]?.integer, (-128...127).contains(exponent)
    else { return nil }
    let isNegative = self["NS.negative"]?.boolean ?? false
    let length = self["NS.length"]?.integer ?? Int64(mantissa.count / 2)
    // A negative number without digits is Foundation's “not a number”.
    if length == 0 { return isNegative ? nil : "0" }
    // Words of 16 bits, the lowest first; byte order 1 means that the lower byte of each comes first.
    let isLittle = self["NS.mantissa.bo"]?.integer != 2
    var number: UInt128 = 0
    for word in stride(from: mantissa.count / 2 - 1, through: 0, by: -1) where word < length {
      let (a, b) = (UInt128(mantissa[word * 2]), UInt128(mantissa[word * 2 + 1]))
      number = number << 16 | (isLittle ? b << 8 | a : a << 8 | b)
    }
    return Self.text(of: number, exponent: Int(exponent), isNegative: isNegative)
  }

  /// Returns `number` as an integer if it is whole and in range.
  private static func whole(_ number: Double) -> Int64? {
    // `Int64(exactly:)` would need the C math library, which nothing here links otherwise.
    guard number >= -0x1p63, number < 0x1p63 else { return nil }
    return Double(Int64(number)) == number ? Int64(number) : nil
  }

  private static func text(of number: UInt128, exponent: Int, isNegative: Bool) -> String {
    guard number != 0 else { return "0" }
    var digits = String(number)
    if exponent >= 0 {
      digits += String(repeating: "0", count: exponent)
    } else {
      let missing = 1 - exponent - digits.count
      if missing > 0 { digits = String(repeating: "0", count: missing) + digits }
      digits.insert(".", at: digits.index(digits.endIndex, offsetBy: exponent))
      while digits.last == "0" { digits.removeLast() }
      if digits.last == "." { digits.removeLast() }
    }
    return isNegative ? "-" + digits : digits
  }
}

// Collections.
extension KeyedArchive.Node {
  /// The elements of an array, a set or an ordered set, without null elements.
  package var elements: [KeyedArchive.Node]? {
    list("NS.objects") ?? plainElements
  }

  /// The entries of a dictionary of any Foundation class, in the order of the archive.
  package var entries: [(key: KeyedArchive.Node, value: KeyedArchive.Node)]? {
    if let keys = references("NS.keys"), let values = references("NS.objects") {
      return pairs(keys, values)
    }
    // Core Data's own dictionaries share their keys with others of the same shape.
    if let keys = self["searchMapping"]?["keys"]?.references("NS.objects"),
      let values = self["values"]?.references("NS.objects")
    {
      return pairs(keys, values)
    }
    return nil
  }

  /// The entries of a dictionary with string keys; entries with other keys are left out.
  package var dictionary: [String: KeyedArchive.Node]? {
    guard let entries else { return nil }
    var dictionary: [String: KeyedArchive.Node] = [:]
    for (key, value) in entries {
      if let name = key.string { dictionary[name] = value }
    }
    return dictionary
  }

  private func pairs(
    _ keys: [PropertyList],
    _ values: [PropertyList]
  ) -> [(key: KeyedArchive.Node, value: KeyedArchive.Node)] {
    zip(keys, values).compactMap { key, value in
      guard let key = KeyedArchive.Node(archive: archive, resolving: key),
        let value = KeyedArchive.Node(archive: archive, resolving: value)
      else { return nil }
      return (key, value)
    }
  }

  private func list(_ key: String) -> [KeyedArchive.Node]? {
    // A dictionary has a list under this key as well.
    guard self["NS.keys"] == nil else { return nil }
    return references(key)?.compactMap { KeyedArchive.Node(archive: archive, resolving: $0) }
  }

  private var plainElements: [KeyedArchive.Node]? {
    guard case .array(let elements) = value else { return nil }
    return elements.compactMap { KeyedArchive.Node(archive: archive, resolving: $0) }
  }

  private func references(_ key: String) -> [PropertyList]? {
    guard case .array(let references)? = self[key]?.value else { return nil }
    return references
  }
}
