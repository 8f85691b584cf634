internal import DecantBase64
internal import DecantBase
internal import DecantStore
internal import DecantJSON
internal import DecantSQLite

/// A value in a line of an archive; its bytes are lent until the next value is read.
enum ArchivedValue {
  case null
  case integer(Int64)
  case real(Double)
  case text(UnsafeRawBufferPointer)
  case bytes(UnsafeRawBufferPointer)
  /// A large value that was sent in pieces, by its digest.
  case blob(hash: UnsafeRawBufferPointer, byteCount: Int64, isText: Bool)
  /// The name of a missing file.
  case missing(UnsafeRawBufferPointer)

  /// How bytes were stored.
  struct Place {
    /// The file in which they were stored.
    var file: [UInt8]?
    /// Whether they are stored without the prefix that other values have.
    var isRaw = false
  }
}

/// Reads values; keeps the memory for decoded bytes.
struct ArchivedValueReader: ~Copyable {
  private var decoded: [UInt8] = []
  private var place = ArchivedValue.Place()

  /// Reads the next value and passes it to `body`.
  @inline(__always)
  mutating func read<Result>(
    _ cursor: inout JSONReader,
    _ body: (ArchivedValue, ArchivedValue.Place) throws -> Result
  ) throws -> Result {
    let plain = ArchivedValue.Place()
    switch try cursor.kind() {
    case .string: return try body(.text(cursor.string()), plain)
    case .number:
      switch try cursor.number() {
      case .integer(let integer): return try body(.integer(integer), plain)
      case .real(let real): return try body(.real(real), plain)
      }
    case .null:
      try cursor.word("null")
      return try body(.null, plain)
    case .true_:
      try cursor.word("true")
      return try body(.integer(1), plain)
    case .false_:
      try cursor.word("false")
      return try body(.integer(0), plain)
    case .array:
      throw ArchiveFault("expected a value, found a list, at byte \(cursor.position)")
    case .object: return try readObject(&cursor, body)
    }
  }

  /// The content of a value in braces.
  private enum Found {
    case nothing
    case integer(Int64)
    case real(Double)
    case text
    case bytes
    case blob
    case missing
  }

  private mutating func readObject<Result>(
    _ cursor: inout JSONReader,
    _ body: (ArchivedValue, ArchivedValue.Place) throws -> Result
  ) throws -> Result {
    var found = Found.nothing
    var (size, isText): (Int64?, Bool) = (nil, false)
    var place = ArchivedValue.Place()
    var decoded = self.decoded
    self.decoded = []
    try cursor.object { key, cursor in
      switch Name(key) {
      case .size:
        guard size == nil else { throw ArchivedValueReader.twice }
        size = try cursor.integer(as: "size")
      case .asText:
        guard !isText else { throw ArchivedValueReader.twice }
        guard try cursor.string().elementsEqual("text".utf8) else {
          throw ArchiveFault("a value is not text")
        }
        isText = true
      case .file:
        guard place.file == nil else { throw ArchivedValueReader.twice }
        place.file = Array(try cursor.string())
      case .raw:
        guard !place.isRaw else { throw ArchivedValueReader.twice }
        try cursor.word("true")
        place.isRaw = true
      case let name?:
        guard case .nothing = found else { throw ArchivedValueReader.twice }
        found = try ArchivedValueReader.member(name, &cursor, &decoded)
      case nil:
        let name = String(decoding: key, as: UTF8.self)
        throw ArchiveFault("a value has a type that this decant does not know: “\(name.prefix(20))”")
      }
    }
    self.decoded = decoded
    return try self.decoded.withUnsafeBytes { bytes in
      switch found {
      case .nothing: throw ArchiveFault("a value has a type that this decant does not know")
      case .integer(let integer): try body(.integer(integer), place)
      case .real(let real): try body(.real(real), place)
      case .text: try body(.text(bytes), place)
      case .bytes: try body(.bytes(bytes), place)
      case .missing: try body(.missing(bytes), place)
      case .blob:
        try body(.blob(hash: bytes, byteCount: ArchivedValueReader.checked(size), isText: isText), place)
      }
    }
  }

  /// Returns the size of a large value, which must not be empty.
  private static func checked(_ size: Int64?) throws(ArchiveFault) -> Int64 {
    guard let size, size > 0 else {
      throw ArchiveFault("a large value is used without its size")
    }
    return size
  }

  /// The names allowed in a value in braces.
  private enum Name: String {
    case base64, text64, date, seconds, blob, decimal, uuid, uri, double, int, missing
    case size, file, raw
    case asText = "as"

    init?(_ bytes: UnsafeRawBufferPointer) {
      // The most common names are distinguished by their lengths.
      switch (bytes.count, bytes.first) {
      case (6, 0x62): self = .base64
      case (4, 0x64): self = .date
      case (4, 0x75): self = .uuid
      case (4, 0x62): self = .blob
      case (7, 0x64): self = .decimal
      default:
        self.init(rawValue: String(decoding: bytes, as: UTF8.self))
        return
      }
      guard bytes.elementsEqual(rawValue.utf8) else { return nil }
    }
  }

  private static let twice = ArchiveFault("a value has a duplicate member or two types")

  /// Reads the member with the value.
  private static func member(_ name: Name, _ cursor: inout JSONReader, _ decoded: inout [UInt8]) throws -> Found {
    func take(_ bytes: UnsafeRawBufferPointer) {
      decoded.removeAll(keepingCapacity: true)
      decoded.append(contentsOf: bytes)
    }
    switch name {
    case .base64, .text64:
      guard Base64Decoder.decode(try cursor.string(), to: &decoded) else {
        throw ArchiveFault("a value is not valid base64")
      }
      return name == .base64 ? .bytes : .text
    case .date:
      let text = try cursor.string()
      guard
        let seconds = DateText.seconds(ofExact: text)
          ?? DateText.seconds(of: String(decoding: text, as: UTF8.self))
      else { throw ArchiveFault("a date is not ISO 8601, like 2011-10-12T07:06:05Z") }
      // Date columns keep whole seconds as integers.
      return Int64(exactly: seconds).map { .integer($0) } ?? .real(seconds)
    case .seconds:
      switch try cursor.number() {
      case .integer(let integer): return .integer(integer)
      case .real(let real): return .real(real)
      }
    case .blob:
      take(try cursor.string())
      return .blob
    case .decimal:
      let text = try cursor.text()
      switch DecimalText.number(in: text) {
      case .integer(let integer): return .integer(integer)
      case .real(let real):
        guard digits(text) == digits("\(real)") else {
          throw ArchiveFault("a decimal has more digits than a store can hold (15 to 17)")
        }
        return .real(real)
      default: throw ArchiveFault("a decimal is not a number")
      }
    case .uuid:
      guard readUUID(try cursor.string(), to: &decoded) else {
        throw ArchiveFault("a UUID is not valid")
      }
      return .bytes
    case .uri:
      take(try cursor.string())
      return .text
    case .double:
      switch try cursor.text() {
      case "nan": return .real(.nan)
      case "inf": return .real(.infinity)
      case "-inf": return .real(-.infinity)
      default: throw ArchiveFault("a “double” is not nan, inf or -inf")
      }
    case .int:
      guard let integer = JSONReader.integer(try cursor.string()) else {
        throw ArchiveFault("an “int” does not fit in 64 bits")
      }
      return .integer(integer)
    case .missing:
      take(try cursor.string())
      return .missing
    case .size, .file, .raw, .asText: return .nothing
    }
  }

  /// Returns the significant digits of a number, wherever its decimal point is.
  private static func digits(_ number: String) -> [UInt8] {
    let mantissa = number.utf8.prefix { $0 | 0x20 != 0x65 }
    let digits = mantissa.filter { (0x30...0x39).contains($0) }.drop { $0 == 0x30 }
    return Array(digits.prefix(digits.count - digits.reversed().prefix { $0 == 0x30 }.count))
  }

  /// Replaces `bytes` by the sixteen bytes of a UUID in text form; returns false if it is not one.
  private static func readUUID(_ text: UnsafeRawBufferPointer, to bytes: inout [UInt8]) -> Bool {
    guard text.count == 36, text[8] == 0x2d, text[13] == 0x2d, text[18] == 0x2d, text[23] == 0x2d
    else { return false }
    bytes.removeAll(keepingCapacity: true)
    var place = 0
    var bad = false
    func digit(_ character: UInt8) -> UInt8 {
      switch character {
      case 0x30...0x39: return character &- 0x30
      case 0x41...0x46: return character &- 0x37
      case 0x61...0x66: return character &- 0x57
      default:
        bad = true
        return 0
      }
    }
    while place < 36 {
      if text[place] == 0x2d, place == 8 || place == 13 || place == 18 || place == 23 {
        place += 1
      }
      bytes.append(digit(text[place]) << 4 | digit(text[place + 1]))
      place += 2
    }
    return !bad
  }
}

extension JSONReader {
  /// Reads an integer; `name` names it in a fault.
  mutating func integer(as name: StaticString) throws -> Int64 {
    guard try kind() == .number, case .integer(let integer) = try number() else {
      throw ArchiveFault("“\(name)” is not an integer")
    }
    return integer
  }
}
