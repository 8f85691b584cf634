internal import Decant
internal import JSON

/// Whole JSON values, for what is read once: headers and receipts.
extension JSONCursor {
  /// Reads an object, of whose members only those called `names` are kept, as `tree(limit:)` does.
  mutating func tree(of names: Set<String>, limit: Int) throws(ArchiveFault) -> JSONValue {
    var left = limit
    var members: [(String, JSONValue)] = []
    try object { (key, cursor) throws(ArchiveFault) in
      let name = String(decoding: key, as: UTF8.self)
      guard names.contains(name) else { return try cursor.skip() }
      guard !members.contains(where: { $0.0 == name }) else {
        throw ArchiveFault("the name “\(name)” comes twice in one object")
      }
      members.append((name, try cursor.tree(&left, of: limit)))
    }
    return .object(members)
  }

  /// Reads a value with all that is in it; a name that comes twice in one object is a fault.
  ///
  /// It may be made of `limit` values: each takes many times the bytes that it has in the line.
  mutating func tree(limit: Int) throws(ArchiveFault) -> JSONValue {
    var left = limit
    return try tree(&left, of: limit)
  }

  private mutating func tree(_ left: inout Int, of limit: Int) throws(ArchiveFault) -> JSONValue {
    left -= 1
    guard left >= 0 else {
      throw ArchiveFault(
        "the line is made of more than \(limit) values",
        remedy: "if you trust the file, allow more: --max-line"
      )
    }
    switch try kind() {
    case .object:
      var members: [(String, JSONValue)] = []
      var names: Set<String> = []
      try object { (key, cursor) throws(ArchiveFault) in
        let name = String(decoding: key, as: UTF8.self)
        guard names.insert(name).inserted else {
          throw ArchiveFault("the name “\(name.prefix(40))” comes twice in one object")
        }
        members.append((name, try cursor.tree(&left, of: limit)))
      }
      return .object(members)
    case .array:
      var values: [JSONValue] = []
      try array { cursor throws(ArchiveFault) in
        values.append(try cursor.tree(&left, of: limit))
      }
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
  /// The value of a member; `nil` where there is none, or this is no object.
  subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.0 == name }?.1
  }

  /// The members of an object; none of anything else.
  var members: [(String, JSONValue)] {
    if case .object(let members) = self { members } else { [] }
  }

  /// The values of a list; none of anything else.
  var values: [JSONValue] { if case .array(let values) = self { values } else { [] } }

  var string: String? { if case .string(let string) = self { string } else { nil } }
  var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }
  var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }
}
