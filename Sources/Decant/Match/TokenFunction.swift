internal import SQLite

/// What is known so far of the objects of one root entity.
enum MatchState {
  /// Their keys lead from store to store by a rule.
  case settled(IDMap)
  /// They are being matched: the pairs found, and the others with the hash each has at present.
  case open(StoredPairs, Sided<Statement>)
}

/// The SQL function `token_a(root, key)`, or `token_b`: the same number for an object in the source and
/// for the one it is in the destination.
///
/// Of an object that has no partner yet it is the hash of what is known of it; NULL for one that
/// cannot have any, or is not there. With a third argument only those with a partner have one.
final class TokenFunction: ScalarFunction {
  private let side: MatchSide
  private let states: MatchStates

  init(_ side: MatchSide, _ states: MatchStates) {
    self.side = side
    self.states = states
  }

  override func call(
    _ arguments: borrowing FunctionArguments,
    _ result: borrowing FunctionResult
  ) {
    let root = arguments.integer(at: 0)
    guard arguments.type(at: 1) == .integer, let state = states[root] else {
      return result.setNull()
    }
    do throws(SQLiteError) {
      let token = try token(
        of: arguments.integer(at: 1),
        root,
        state,
        isPaired: arguments.count > 2
      )
      if let token { result.set(token) } else { result.setNull() }
    } catch {
      result.fail(error)
    }
  }

  private func token(of key: Int64, _ root: Int64, _ state: MatchState, isPaired: Bool)
    throws(SQLiteError) -> Int64?
  {
    let origin: Int64?
    switch (state, side) {
    case (.settled(let map), .source):
      origin = try map.destination(of: key) == nil ? nil : key
    case (.settled(let map), .destination): origin = try map.source(of: key)
    case (.open(let pairs, _), .source): origin = try pairs.destination(of: key) == nil ? nil : key
    case (.open(let pairs, _), .destination): origin = try pairs.source(of: key)
    }
    if let origin { return TokenFunction.token(of: origin, root) }
    guard case .open(_, let lookups) = state, !isPaired else { return nil }
    let lookup = lookups[side]
    defer { lookup.reset() }
    try lookup.bind(.integer(key), at: 1)
    return try lookup.step() ? lookup.integer(at: 0) : nil
  }

  /// A number that no hash is likely to be, and no other object's token.
  static func token(of key: Int64, _ root: Int64) -> Int64 {
    // The finishing steps of SplitMix64, which map no two numbers to one.
    var word = UInt64(bitPattern: key) &+ UInt64(bitPattern: root &+ 1) &* 0x9E37_79B9_7F4A_7C15
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int64(bitPattern: word ^ (word >> 31))
  }
}

/// The states of all root entities, by number; shared between the matching and its functions.
final class MatchStates {
  private var states: [Int64: MatchState] = [:]

  subscript(root: Int64) -> MatchState? {
    get { states[root] }
    set { states[root] = newValue }
  }

  /// Forgets all states: statements among them would keep their connection alive.
  func removeAll() { states = [:] }
}
