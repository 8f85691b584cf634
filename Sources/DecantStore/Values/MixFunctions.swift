internal import CDecantXXHash
package import DecantSQLite

/// The SQL function `mix(value, …)`: 64 bits that depend on all values and their order.
///
/// As `mix_all` it is NULL if one of the values is. Numbers of equal value count as equal; matches are later compared
/// exactly in pairs.
package final class MixFunction: ScalarFunction {
  private let wantsAll: Bool
  private let buffer = RowBuffer()

  package init(wantsAll: Bool = false) { self.wantsAll = wantsAll }

  package override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    buffer.start()
    for position in 0..<arguments.count {
      if wantsAll, arguments.type(at: position) == .null { return result.setNull() }
      buffer.append(arguments, at: position, isNumeric: true)
    }
    result.set(Int64(bitPattern: buffer.hash.low64))
  }

  /// Returns SQL that mixes any number of `values`: a function takes at most 127.
  package static func sql(_ values: [String]) -> String {
    guard values.count > 100 else { return "mix(\(values.joined(separator: ", ")))" }
    let parts = stride(from: 0, to: values.count, by: 100).map { start in
      sql(Array(values[start..<min(start + 100, values.count)]))
    }
    return sql(parts)
  }
}

/// The SQL aggregate `mix_sum(tag, token, …)`: a sum over links, independent of their order.
///
/// A link without token is ignored; without any other the sum is NULL.
package final class MixSum: AggregateFunction {
  private let buffer = RowBuffer()

  package override init() {}

  /// The sum of the links of one group, in SQLite's memory: a statement may have several such sums.
  private struct Sum: BitwiseCopyable {
    var links: UInt64
    var hash: UInt64
  }

  package override func step(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    guard arguments.type(at: 1) != .null else { return }
    guard let sum = result.accumulator(Sum.self) else { return result.setOutOfMemory() }
    buffer.start()
    for position in 0..<arguments.count {
      buffer.append(arguments, at: position, isNumeric: true)
    }
    sum.pointee.hash &+= buffer.hash.low64
    sum.pointee.links += 1
  }

  package override func finish(_ result: borrowing FunctionResult) {
    guard let sum = result.accumulator(Sum.self)?.pointee, sum.links > 0 else {
      return result.setNull()
    }
    result.set(Int64(bitPattern: sum.hash))
  }
}
