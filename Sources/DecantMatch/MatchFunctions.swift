internal import DecantPlan
internal import DecantStore
internal import CDecantXXHash
internal import DecantSQLite

/// The pairs found so far, by the number of their root entity; shared by the matching and its functions.
final class PairsByRoot {
  private var pairs: [Int64: ObjectPairs]

  init(_ pairs: some Sequence<ObjectPairs>) {
    self.pairs = Dictionary(pairs.map { (Int64($0.root.number), $0) }) { first, _ in first }
  }

  subscript(root: Int64) -> ObjectPairs? { pairs[root] }

  /// The objects of the source that are merged, by the number of their root entity.
  var included: [Int64: KeySet] = [:]
  /// The objects in conflict that the destination removed: they may be restored or not.
  var contested: [Int64: KeySet] = [:]
  /// Whether these count as not merged, as in a run that left them undecided.
  var leavesOutContested = false

  /// Returns whether an object of the source is merged.
  func isMerged(_ key: Int64, of root: Int64) throws(SQLiteError) -> Bool {
    guard try included[root]?.contains(key) == true else { return false }
    guard leavesOutContested, let contested = contested[root] else { return true }
    return try !contested.contains(key)
  }

  /// Removes all of them: their statements would keep the connection of the functions alive.
  func removeAll() { (pairs, included, contested) = ([:], [:], [:]) }
}

/// The SQL function `merge_token_a(root, key)`, or `merge_token_b`: see `ObjectPairs.token`; with a third argument
/// `looseToken`.
final class MergeTokenFunction: ScalarFunction {
  private let side: MatchSide
  private let pairs: PairsByRoot

  init(_ side: MatchSide, _ pairs: PairsByRoot) {
    self.side = side
    self.pairs = pairs
  }

  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    guard arguments.type(at: 1) == .integer, let pairs = pairs[arguments.integer(at: 0)] else {
      return result.setNull()
    }
    do throws(SQLiteError) {
      let key = arguments.integer(at: 1)
      let token =
        try arguments.count > 2 ? pairs.looseToken(of: key, side) : pairs.token(of: key, side)
      guard let token else { return result.setNull() }
      result.set(token)
    } catch {
      result.fail(error)
    }
  }
}

/// The SQL function `merge_kept_copy(root, key)`: whether an object of the source is a kept copy.
final class MergeDoubleFunction: ScalarFunction {
  private let pairs: PairsByRoot

  init(_ pairs: PairsByRoot) { self.pairs = pairs }

  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    guard arguments.type(at: 1) == .integer, let pairs = pairs[arguments.integer(at: 0)] else {
      return result.set(Int64(0))
    }
    do throws(SQLiteError) {
      result.set(try pairs.isKeptCopy(arguments.integer(at: 1)) ? Int64(1) : 0)
    } catch {
      result.fail(error)
    }
  }
}

/// The SQL function `merge_representative(root, key)`: the key of the object of the source of which `key` is a
/// duplicate, otherwise `key`.
final class RepresentativeFunction: ScalarFunction {
  private let pairs: PairsByRoot

  init(_ pairs: PairsByRoot) { self.pairs = pairs }

  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    guard arguments.type(at: 1) == .integer else { return result.setNull() }
    let key = arguments.integer(at: 1)
    do throws(SQLiteError) {
      result.set(try pairs[arguments.integer(at: 0)]?.representative(of: key) ?? key)
    } catch {
      result.fail(error)
    }
  }
}

/// The SQL function `mix_linked(count, token, …, value, …)`: as `mix`, but NULL if one of the first `count` values, the
/// tokens, is.
final class MixLinkedFunction: ScalarFunction {
  private let buffer = RowBuffer()

  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    let count = Int(arguments.integer(at: 0))
    buffer.start()
    for position in 1..<arguments.count {
      if position <= count, arguments.type(at: position) == .null { return result.setNull() }
      buffer.append(arguments, at: position, isNumeric: true)
    }
    result.set(Int64(bitPattern: buffer.hash.low64))
  }

  /// Returns SQL that mixes any number of `values`, unless one of `tokens` is missing: a function takes at most 127.
  static func sql(_ tokens: [String], _ values: [String]) -> String {
    guard tokens.count <= 100 else {
      let parts = stride(from: 0, to: tokens.count, by: 100).map { start in
        sql(Array(tokens[start..<min(start + 100, tokens.count)]), [])
      }
      return sql(parts, values)
    }
    let some = tokens.count + values.count > 100 ? [MixFunction.sql(values)] : values
    return "mix_linked(\((["\(tokens.count)"] + tokens + some).joined(separator: ", ")))"
  }
}

/// The SQL function `merge_kept(root, key)`: whether the source has such an object, and it is merged; or
/// `merge_contested(root, key)`: whether the destination removed it in conflict with the source.
final class MergeKeptFunction: ScalarFunction {
  private let pairs: PairsByRoot
  private let isContested: Bool

  init(_ pairs: PairsByRoot, isContested: Bool = false) {
    (self.pairs, self.isContested) = (pairs, isContested)
  }

  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    guard arguments.type(at: 1) == .integer else { return result.set(Int64(0)) }
    let (root, key) = (arguments.integer(at: 0), arguments.integer(at: 1))
    do throws(SQLiteError) {
      let isTrue =
        isContested
        ? try pairs.contested[root]?.contains(key) == true : try pairs.isMerged(key, of: root)
      result.set(isTrue ? Int64(1) : 0)
    } catch {
      result.fail(error)
    }
  }
}
