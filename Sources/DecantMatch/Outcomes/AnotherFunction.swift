internal import DecantBase
internal import CDecantXXHash
internal import DecantSQLite

/// The SQL function `another(value, number)`: a similar value that distinguishes a kept copy from its original.
///
/// A text gets the number as a suffix, as in “Soup (2)”. A UUID, as 16 bytes or as text with or without hyphens, becomes
/// another one that depends only on it and the number, so that every merge gets the same. Other values are unchanged.
final class AnotherFunction: ScalarFunction {
  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    guard arguments.type(at: 1) == .integer else { return result.pass(arguments, at: 0) }
    let number = arguments.integer(at: 1)
    switch arguments.type(at: 0) {
    case .blob:
      let bytes = arguments.withBytes(at: 0) { Array($0) }
      guard bytes.count == 16 else { return result.pass(arguments, at: 0) }
      AnotherFunction.uuid(bytes, number).withUnsafeBytes { result.set($0) }
    case .text:
      let text = arguments.text(at: 0)
      let isPlain = text.utf8.count == 32 && !text.contains("-")
      guard let bytes = [UInt8](uuidText: isPlain ? AnotherFunction.hyphenated(text) : text) else {
        return result.set("\(text) (\(number))")
      }
      let digits = AnotherFunction.uuid(bytes, number).map(\.hex).joined()
      let uuid = isPlain ? digits : AnotherFunction.hyphenated(digits)
      result.set(text.contains { $0.isLowercase } ? uuid.lowercased() : uuid.uppercased())
    case .null, .integer, .real: result.pass(arguments, at: 0)
    }
  }

  /// Returns the digits of a UUID in the usual groups.
  private static func hyphenated(_ digits: String) -> String {
    var uuid = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { uuid += "-" }
      uuid.append(digit)
    }
    return uuid
  }

  /// Returns a UUID of version 8, which is for custom rules, that depends only on `bytes` and `number`.
  static func uuid(_ bytes: [UInt8], _ number: Int64) -> [UInt8] {
    var input = bytes
    withUnsafeBytes(of: number.littleEndian) { input.append(contentsOf: $0) }
    let hash = XXH3_128bits(input, input.count)
    var uuid: [UInt8] = []
    withUnsafeBytes(of: hash.high64.bigEndian) { uuid.append(contentsOf: $0) }
    withUnsafeBytes(of: hash.low64.bigEndian) { uuid.append(contentsOf: $0) }
    uuid[6] = uuid[6] & 0x0F | 0x80
    uuid[8] = uuid[8] & 0x3F | 0x80
    return uuid
  }
}

/// The SQL function `copy_number(entity, key)`: the number from which a kept copy gets a new identity, NULL for every
/// other object.
final class CopyNumberFunction: ObjectFunction {
  override func give(
    _ key: Int64,
    _ map: IDMap,
    _ arguments: borrowing FunctionArguments,
    _ result: borrowing FunctionResult
  ) throws(SQLiteError) {
    guard let number = try map.matchedObjects?.number(of: key) else { return result.setNull() }
    result.set(number)
  }
}

/// The SQL function `copy_title(entity, key)`: the same, but NULL for a part of another kept copy, which keeps its
/// title.
final class CopyTitleFunction: ObjectFunction {
  override func give(
    _ key: Int64,
    _ map: IDMap,
    _ arguments: borrowing FunctionArguments,
    _ result: borrowing FunctionResult
  ) throws(SQLiteError) {
    guard let number = try map.matchedObjects?.titleNumber(of: key) else { return result.setNull() }
    result.set(number)
  }
}
