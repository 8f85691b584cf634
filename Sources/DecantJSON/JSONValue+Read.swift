/// Whole values, for data that is read once.
extension JSONReader {
  /// Reads an object and keeps only the members called `names`, as `value(limit:)` does.
  package mutating func members(called names: Set<String>, limit: Int) throws -> JSONValue {
    var left = limit
    var members: [(String, JSONValue)] = []
    try object { key, reader in
      let name = String(decoding: key, as: UTF8.self)
      guard names.contains(name) else { return try reader.skip() }
      guard !members.contains(where: { $0.0 == name }) else { throw SeenNames.twice(name) }
      members.append((name, try reader.value(&left, of: limit)))
    }
    return .object(members)
  }

  /// Throws unless `bytes` are one value, strictly; nothing of it is kept.
  package static func check(_ bytes: UnsafeRawBufferPointer) throws {
    try withUnsafePointer(to: 0) { empty in
      var reader = JSONReader(bytes, empty, depthLimit: 64)
      try reader.skip()
      try reader.finish()
    }
  }

  /// Reads a value with all its parts, strictly; a duplicate name in an object is a fault.
  ///
  /// It may consist of at most `limit` values: each takes many times the bytes that it has in the text.
  package mutating func value(limit: Int) throws -> JSONValue {
    var left = limit
    return try value(&left, of: limit)
  }

  private mutating func value(_ left: inout Int, of limit: Int) throws -> JSONValue {
    left -= 1
    guard left >= 0 else { throw JSONFault(.count, "it has more than \(limit) values") }
    switch try kind() {
    case .object:
      var members: [(String, JSONValue)] = []
      var names: Set<String> = []
      try object { key, reader in
        let name = String(decoding: key, as: UTF8.self)
        guard names.insert(name).inserted else { throw SeenNames.twice(name) }
        members.append((name, try reader.value(&left, of: limit)))
      }
      return .object(members)
    case .array:
      var values: [JSONValue] = []
      try array { reader in values.append(try reader.value(&left, of: limit)) }
      return .array(values)
    case .string: return .string(try text())
    case .number:
      switch try number() {
      case .integer(let integer): return .integer(integer)
      case .real(let real): return .number(real)
      }
    case .true_:
      try word("true")
      return .bool(true)
    case .false_:
      try word("false")
      return .bool(false)
    case .null:
      try word("null")
      return .null
    }
  }
}

extension JSONValue {
  /// The value of a member; `nil` if there is none or this is not an object.
  package subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.0 == name }?.1
  }

  /// The members of an object; empty for any other value.
  package var members: [(String, JSONValue)] {
    if case .object(let members) = self { members } else { [] }
  }

  /// The values of a list; empty for any other value.
  package var values: [JSONValue] { if case .array(let values) = self { values } else { [] } }

  /// A number, with or without a fraction; `nil` for any other value.
  package var double: Double? {
    switch self {
    case .number(let number): number
    case .integer(let integer): Double(integer)
    default: nil
    }
  }

  /// The text, integer or Boolean; `nil` for any other value.
  package var string: String? { if case .string(let string) = self { string } else { nil } }
  package var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }
  package var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }
}
