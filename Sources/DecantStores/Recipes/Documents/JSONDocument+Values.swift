extension JSONDocument {
  /// What a value takes in memory beside its text.
  private static let overhead = 64

  /// Reads the value that begins here, or behind blanks.
  func value() throws -> DocumentValue {
    try bytes.skipBlanks()
    try charge(Self.overhead)
    guard let byte = try bytes.peek() else { throw try bytes.fault(expected: "a value") }
    switch byte {
    case UInt8(ascii: "\""):
      let text = try string()
      if case .short(let text) = text { try charge(text.utf8.count) }
      return .text(text)
    case UInt8(ascii: "{"):
      var members: [(String, DocumentValue)] = []
      try forEachMember { key in members.append((key, try value())) }
      return .object(members)
    case UInt8(ascii: "["):
      var elements: [DocumentValue] = []
      try forEachItem(closedBy: UInt8(ascii: "]")) { elements.append(try value()) }
      return .array(elements)
    default: return try word()
    }
  }

  /// Calls `body` before the value of each member of the object that begins here.
  func forEachMember(_ body: (_ key: String) throws -> Void) throws {
    try forEachItem(closedBy: UInt8(ascii: "}")) {
      guard try bytes.peek() == UInt8(ascii: "\"") else {
        throw try bytes.fault(expected: "a name in quotes, or “}”")
      }
      let place = bytes.offset
      guard case .short(let key) = try string() else {
        throw Excess(fault: RecipeFault("byte \(place): a name is too long"))
      }
      try bytes.skipBlanks()
      guard try bytes.peek() == UInt8(ascii: ":") else {
        throw try bytes.fault(expected: "“:” behind a name")
      }
      bytes.advance()
      try charge(Self.overhead + key.utf8.count)
      try body(key)
    }
  }

  /// Calls `body` at the beginning of each item of the array or object that begins here.
  func forEachItem(closedBy close: UInt8, _ body: () throws -> Void) throws {
    let place = bytes.offset
    openCount += 1
    bytes.advance()
    guard openCount <= limits.depth else {
      throw Excess(
        fault: RecipeFault("byte \(place): more than \(limits.depth) levels in each other")
      )
    }
    var wantsComma = false
    while true {
      try bytes.skipBlanks()
      guard let byte = try bytes.peek() else {
        throw try bytes.fault(expected: "“\(Character(Unicode.Scalar(close)))”")
      }
      if byte == UInt8(ascii: ",") {
        bytes.advance()
        wantsComma = false
      } else if byte == close {
        bytes.advance()
        break
      } else {
        guard !wantsComma else {
          throw try bytes.fault(expected: "“,” or “\(Character(Unicode.Scalar(close)))”")
        }
        try body()
        wantsComma = true
      }
    }
    openCount -= 1
  }

  /// Passes over the value that begins here, or behind blanks.
  func skipValue() throws {
    let level = openCount
    try bytes.skipBlanks()
    switch try bytes.peek() {
    case UInt8(ascii: "\""): try skipString()
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      bytes.advance()
      openCount += 1
      try skip(downTo: level)
    default: _ = try word()
    }
  }

  /// Passes over the rest of what is open above `level`, however deep it goes.
  func skip(downTo level: Int) throws {
    while openCount > level {
      try bytes.skipBlanks()
      switch try bytes.peek() {
      case nil: throw try bytes.fault(expected: "“]” or “}”")
      case UInt8(ascii: "\""): try skipString()
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        openCount += 1
        bytes.advance()
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        openCount -= 1
        bytes.advance()
      default: bytes.advance()
      }
    }
  }

  /// Reads a number, or one of the words that stand for a value.
  private func word() throws -> DocumentValue {
    let place = bytes.offset
    scratch.removeAll(keepingCapacity: true)
    while let byte = try bytes.peek(), Self.isOfWord[Int(byte)] {
      guard scratch.count < 1024 else {
        throw RecipeFault("byte \(place): a number or a word is too long")
      }
      scratch.append(byte)
      bytes.advance()
    }
    guard !scratch.isEmpty else { throw try bytes.fault(expected: "a value") }
    let word = String(decoding: scratch, as: UTF8.self)
    switch word {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "null", "undefined", "NaN", "Infinity", "-Infinity": return .null
    default:
      guard word.utf8.contains(where: { 0x30...0x39 ~= $0 }),
        !word.utf8.contains(where: Self.isHex),
        Double(word) != nil
      else {
        throw RecipeFault("byte \(place): expected a value, found “\(word.prefix(40))”")
      }
      return .number(word)
    }
  }

  /// Letters, digits, `+`, `-` and `.`.
  private static let isOfWord: [Bool] = (0..<256).map { byte in
    switch UInt8(byte) {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }

  /// Whether `byte` is in a number of base 16, which Swift takes and JSON has not.
  private static func isHex(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "x") || byte == UInt8(ascii: "X")
  }

  private func charge(_ count: Int) throws {
    byteCount += count
    guard byteCount <= limits.byteCount else {
      throw Excess(
        fault: RecipeFault(
          "byte \(bytes.offset): a value takes more than \(limits.byteCount) bytes of memory"
        )
      )
    }
  }
}
