internal import DecantSQLite
internal import DecantSystem

/// A check of the entries of an index as it is read: the SQL aggregate `index_entries(value, …, rowid)`.
///
/// It sums up the entries, and compares each with the one before as SQLite does for an index: NULL before numbers
/// before texts before bytes, texts by the column's collation, and entries of equal values by rowid.
final class IndexEntries: AggregateFunction {
  /// SQLite's built-in collations.
  enum Collation: String {
    case binary, nocase, rtrim
  }

  /// The sort order of one column of the index.
  struct Column {
    var collation: Collation
    var isDescending: Bool
  }

  private let columns: [Column]
  private let isUnique: Bool
  // `step`, which SQLite calls for each entry, changes the following properties.
  @exclusivity(unchecked) private var previous: [Value]
  @exclusivity(unchecked) private var hasPrevious = false
  private let buffer = RowBuffer()
  /// The sum of the entries so far, in which 1 and 1.0 are equal, as in an index.
  @exclusivity(unchecked) private(set) var sum = RowHash.Sum()
  /// Whether every entry so far follows the one before, and no key of a unique index occurred twice.
  @exclusivity(unchecked) private(set) var areInOrder = true

  /// A value of the previous entry.
  private struct Value {
    var type = StorageClass.null
    var integer: Int64 = 0
    var real = 0.0
    var bytes: [UInt8] = []
  }

  /// Creates a check of the index's columns; the rowid follows them.
  init(_ columns: [Column], isUnique: Bool) {
    self.columns = columns + [Column(collation: .binary, isDescending: false)]
    self.isUnique = isUnique
    previous = self.columns.map { _ in Value() }
  }

  override func step(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    var isSettled = !hasPrevious
    var hasNull = false
    buffer.start()
    for position in columns.indices {
      let type = arguments.type(at: position)
      buffer.append(arguments, at: position, type, isNumeric: true)
      if !isSettled {
        let order = compare(arguments, at: position, type)
        let isLast = position == columns.count - 1
        // Equal up to the rowid: NULL equals nothing.
        if isLast, isUnique, !hasNull { areInOrder = false }
        if order != 0 {
          isSettled = true
          if (order < 0) == columns[position].isDescending { areInOrder = false }
        } else if isLast {
          areInOrder = false
        }
        if type == .null { hasNull = true }
      }
      keep(arguments, at: position, type)
    }
    hasPrevious = true
    sum.add(buffer)
  }

  override func finish(_ result: borrowing FunctionResult) { result.setNull() }

  private func keep(_ arguments: borrowing FunctionArguments, at position: Int, _ type: StorageClass) {
    previous[position].type = type
    switch type {
    case .null: break
    case .integer: previous[position].integer = arguments.integer(at: position)
    case .real: previous[position].real = arguments.real(at: position)
    case .text, .blob:
      arguments.withBytes(at: position) {
        previous[position].bytes.removeAll(keepingCapacity: true)
        previous[position].bytes.append(contentsOf: $0)
      }
    }
  }

  /// Returns a negative number if the previous entry sorts first, a positive one if this entry does.
  private func compare(_ arguments: borrowing FunctionArguments, at position: Int, _ type: StorageClass) -> Int {
    let before = previous[position].type
    guard before.rank == type.rank else { return before.rank < type.rank ? -1 : 1 }
    switch (before, type) {
    case (.integer, .integer):
      return IndexEntries.order(previous[position].integer, arguments.integer(at: position))
    case (.real, .real):
      return IndexEntries.order(previous[position].real, arguments.real(at: position))
    case (.integer, .real):
      return IndexEntries.order(previous[position].integer, with: arguments.real(at: position))
    case (.real, .integer):
      return -IndexEntries.order(arguments.integer(at: position), with: previous[position].real)
    case (.text, .text), (.blob, .blob):
      let collation = type == .blob ? .binary : columns[position].collation
      return previous[position].bytes.withUnsafeBytes { first in
        arguments.withBytes(at: position) { IndexEntries.order(first, $0, collation) }
      }
    default: return 0
    }
  }

  private static func order<Value: Comparable>(_ first: Value, _ second: Value) -> Int {
    first < second ? -1 : first == second ? 0 : 1
  }

  /// Compares exactly: not every integer has a double.
  private static func order(_ first: Int64, with second: Double) -> Int {
    if let exact = Int64(exactly: second.rounded(.down)) {
      guard first == exact else { return first < exact ? -1 : 1 }
      return second == second.rounded(.down) ? 0 : -1
    }
    return second > 0 ? -1 : 1
  }

  private static func order(
    _ first: UnsafeRawBufferPointer,
    _ second: UnsafeRawBufferPointer,
    _ collation: Collation
  ) -> Int {
    switch collation {
    case .binary:
      let count = min(first.count, second.count)
      if count > 0, let one = first.baseAddress, let other = second.baseAddress {
        let order = memcmp(one, other, count)
        if order != 0 { return Int(order) }
      }
    case .nocase:
      for (one, other) in zip(first, second) {
        let (one, other) = (lowercased(one), lowercased(other))
        if one != other { return one < other ? -1 : 1 }
      }
      return order(first.count, second.count)
    case .rtrim:
      return order(trimmed(first), trimmed(second), .binary)
    }
    return order(first.count, second.count)
  }

  /// Converts A to Z only, as SQLite does.
  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (0x41...0x5a).contains(byte) ? byte | 0x20 : byte
  }

  private static func trimmed(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var count = text.count
    while count > 0, text[count - 1] == 0x20 { count -= 1 }
    return UnsafeRawBufferPointer(rebasing: text[..<count])
  }
}

extension StorageClass {
  /// The sort order of this class among storage classes.
  fileprivate var rank: Int {
    switch self {
    case .null: 0
    case .integer, .real: 1
    case .text: 2
    case .blob: 3
    }
  }
}
