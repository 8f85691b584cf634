package import CDecantXXHash
package import DecantSQLite

/// Order-independent hashes of rows: for each entity the sum, modulo 2¹²⁸, of a hash per row.
///
/// As the SQL aggregate `row_sum(entity, value, …)` it is computed while SQLite reads; XXH3 protects against bugs and
/// damage, not against attacks.
package final class RowHash: AggregateFunction {
  // `step`, which SQLite calls for each row, uses the following properties.
  @exclusivity(unchecked) private var isNumeric: [Bool] = []
  @exclusivity(unchecked) private var standIns: [StandIn] = []
  /// The sums so far, by entity code.
  @exclusivity(unchecked) private(set) var sums: [Int64: Sum] = [:]

  @exclusivity(unchecked) private var current = Sum()
  @exclusivity(unchecked) private var currentCode: Int64?
  private let buffer = RowBuffer()

  package override init() {}

  /// Sets the form of the values that the next statement passes.
  ///
  /// - Parameters:
  ///   - isNumeric: For each value after the entity, whether 1 and 1.0 are equal.
  ///   - standIns: The functions whose results replace longer values; the original lengths are counted.
  package func expect(isNumeric: [Bool], standIns: [StandIn] = []) {
    (self.isNumeric, self.standIns) = (isNumeric, standIns)
  }

  /// The sum of one entity's rows.
  package struct Sum: Sendable, Hashable {
    package var count: Int64 = 0
    /// The total length of the values: 8 for a number, the length of a text or of bytes.
    package var byteCount: Int64 = 0
    var low: UInt64 = 0
    var high: UInt64 = 0

    /// The sum as 32 hexadecimal digits.
    package var hex: String {
      [high, low].map { word in
        let digits = String(word, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
      }.joined()
    }

    /// Subtracts an earlier sum, which was computed without some of the rows.
    package static func -= (sum: inout Sum, earlier: Sum) {
      sum.count -= earlier.count
      sum.byteCount -= earlier.byteCount
      let (low, borrow) = sum.low.subtractingReportingOverflow(earlier.low)
      sum.low = low
      sum.high = sum.high &- earlier.high &- (borrow ? 1 : 0)
    }

    /// The sum in the form of a checkpoint.
    package var stored: String { "\(count) \(byteCount) \(low) \(high)" }

    /// Parses the form of `stored`; `nil` for anything else.
    package init?(stored: String) {
      let parts = stored.split(separator: " ")
      guard parts.count == 4, let count = Int64(parts[0]), let byteCount = Int64(parts[1]),
        let low = UInt64(parts[2]), let high = UInt64(parts[3])
      else { return nil }
      (self.count, self.byteCount, self.low, self.high) = (count, byteCount, low, high)
    }

    package init() {}

    /// Adds one row.
    mutating func add(_ row: RowBuffer) {
      let hash = row.hash
      count += 1
      byteCount += row.valueByteCount
      add(low: hash.low64, high: hash.high64)
    }

    /// Adds the hash of one row.
    mutating func add(low: UInt64, high: UInt64) {
      let (sum, carry) = self.low.addingReportingOverflow(low)
      self.low = sum
      self.high = self.high &+ high &+ (carry ? 1 : 0)
    }
  }

  /// Returns the sums and resets them.
  package func take() -> [Int64: Sum] {
    settle()
    defer { sums = [:] }
    return sums
  }

  package override func step(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    let code = arguments.integer(at: 0)
    if code != currentCode {
      settle()
      current = sums[code] ?? Sum()
      currentCode = code
    }
    buffer.start()
    for position in 1..<arguments.count {
      buffer.append(arguments, at: position, isNumeric: isNumeric[position - 1])
    }
    current.add(buffer)
    for standIn in standIns { current.byteCount += standIn.takeExcess() }
  }

  package override func finish(_ result: borrowing FunctionResult) {
    settle()
    result.setNull()
  }

  private func settle() {
    if let currentCode { sums[currentCode] = current }
    currentCode = nil
  }
}

/// A function whose result, a hash of 16 bytes, replaces a longer value in a row.
package class StandIn: ScalarFunction {
  private var excess: Int64 = 0

  /// Sets `hash` as the result of a call, in place of `byteCount` bytes.
  final func give(_ hash: XXH128_hash_t, for byteCount: Int64, _ result: borrowing FunctionResult) {
    excess += byteCount - 16
    withUnsafeBytes(of: hash.canonical) { result.set($0) }
  }

  /// Returns and resets the length of the replaced values beyond that of the results.
  final func takeExcess() -> Int64 {
    defer { excess = 0 }
    return excess
  }
}

/// The hash of one row, as the SQL function `row_hash(value, …)`, which finds differing objects.
package final class SingleRowHash: StandIn {
  @exclusivity(unchecked) package var isNumeric: [Bool] = []
  private let buffer = RowBuffer()

  package override init() {}

  package override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    buffer.start()
    for position in 0..<arguments.count {
      buffer.append(arguments, at: position, isNumeric: isNumeric[position])
    }
    give(buffer.hash, for: buffer.valueByteCount, result)
  }
}

/// The values of one row, serialised so that only equal rows have equal bytes.
package final class RowBuffer {
  private var bytes: UnsafeMutableRawPointer
  private var capacity = 1 << 12
  private var count = 0
  private(set) var valueByteCount: Int64 = 0

  /// The length from which texts and bytes are added by their hash, and not copied.
  private static let longByteCount = 240

  package init() { bytes = .allocate(byteCount: capacity, alignment: 16) }

  deinit { bytes.deallocate() }

  package func start() {
    count = 0
    valueByteCount = 0
  }

  package var hash: XXH128_hash_t { XXH3_128bits(bytes, count) }

  package func append(_ arguments: borrowing FunctionArguments, at position: Int, isNumeric: Bool) {
    append(arguments, at: position, arguments.type(at: position), isNumeric: isNumeric)
  }

  /// Appends an argument, of which `type` is the storage class.
  @inline(__always)
  func append(_ arguments: borrowing FunctionArguments, at position: Int, _ type: StorageClass, isNumeric: Bool) {
    // The longest entry is a tag, a length, and a short value.
    if capacity - count < RowBuffer.longByteCount + 16 { grow() }
    switch type {
    case .null:
      put(tag: 0)
    case .integer:
      put(tag: 1, UInt64(bitPattern: arguments.integer(at: position)))
    case .real:
      let real = arguments.real(at: position)
      if isNumeric, let integer = Int64(exactly: real) {
        put(tag: 1, UInt64(bitPattern: integer))
      } else {
        put(tag: 2, real.bitPattern)
      }
    case .text:
      arguments.withBytes(at: position) { put(tag: 3, $0) }
    case .blob:
      arguments.withBytes(at: position) { put(tag: 4, $0) }
    }
  }

  @inline(__always)
  private func put(tag: UInt8) {
    bytes.storeBytes(of: tag, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  @inline(__always)
  private func put(_ word: UInt64) {
    bytes.storeBytes(of: word.littleEndian, toByteOffset: count, as: UInt64.self)
    count += 8
  }

  private func put(tag: UInt8, _ word: UInt64) {
    put(tag: tag)
    put(word)
    valueByteCount += 8
  }

  private func put(tag: UInt8, _ value: UnsafeRawBufferPointer) {
    put(tag: tag)
    put(UInt64(value.count))
    valueByteCount += Int64(value.count)
    guard value.count >= RowBuffer.longByteCount else {
      (bytes + count).copyMemory(from: value.baseAddress ?? UnsafeRawPointer(bytes), byteCount: value.count)
      count += value.count
      return
    }
    let hash = XXH3_128bits(value.baseAddress, value.count)
    put(hash.low64)
    put(hash.high64)
  }

  private func grow() {
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity * 2, alignment: 16)
    larger.copyMemory(from: bytes, byteCount: count)
    bytes.deallocate()
    bytes = larger
    capacity *= 2
  }
}

/// The sums of every step, by its name and the entity code.
package typealias ProofSums = [String: [Int64: RowHash.Sum]]
