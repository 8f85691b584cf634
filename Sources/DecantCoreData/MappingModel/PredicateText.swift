internal import DecantBase

/// Parses predicates and expressions as Foundation writes them: `deleted == NO AND title BEGINSWITH "A"`.
///
/// Syntax that decant could not perform anyway, such as arithmetic, ANY or a case-insensitive comparison, is an error
/// with its column.
struct PredicateText {
  /// An unsupported part of the text, and its column.
  struct Mistake: Error, Hashable, CustomStringConvertible {
    let message: String
    /// The column, counted from 1.
    let column: Int

    init(_ message: String, column: Int) {
      self.message = message
      self.column = column
    }

    var description: String { "\(message) (column \(column))" }
  }

  private let tokens: [(token: PredicateTokens.Token, column: Int)]
  private var position = 0
  private var depth = 0

  /// The maximum nesting depth; no real predicate reaches half of it.
  private static let deepest = 40

  static func predicate(_ text: String) throws(Mistake) -> MappingPredicate {
    var reader = PredicateText(tokens: try PredicateTokens(text).tokens)
    let predicate = try reader.either()
    try reader.expectEnd()
    return predicate
  }

  static func expression(_ text: String) throws(Mistake) -> MappingExpression {
    var reader = PredicateText(tokens: try PredicateTokens(text).tokens)
    let expression = try reader.expression()
    try reader.expectEnd()
    return expression
  }

  private init(tokens: [(token: PredicateTokens.Token, column: Int)]) { self.tokens = tokens }

  // MARK: Predicates

  private mutating func either() throws(Mistake) -> MappingPredicate {
    var parts = [try all()]
    while take(word: "OR") || take(sign: "||") { parts.append(try all()) }
    return parts.count == 1 ? parts[0] : .or(parts)
  }

  private mutating func all() throws(Mistake) -> MappingPredicate {
    var parts = [try single()]
    while take(word: "AND") || take(sign: "&&") { parts.append(try single()) }
    return parts.count == 1 ? parts[0] : .and(parts)
  }

  private mutating func single() throws(Mistake) -> MappingPredicate {
    try enter()
    defer { depth -= 1 }
    if take(word: "NOT") || take(sign: "!") { return .not(try single()) }
    if take(word: "TRUEPREDICATE") { return .constant(true) }
    if take(word: "FALSEPREDICATE") { return .constant(false) }
    for word in ["ANY", "SOME", "ALL", "NONE"] where isNext(word: word) {
      throw mistake("\(word) is not supported")
    }
    if take(sign: "(") {
      let inner = try either()
      try expect(sign: ")")
      return inner
    }
    return try comparison()
  }

  private mutating func comparison() throws(Mistake) -> MappingPredicate {
    let left = try expression()
    guard let comparison = nextOperator else {
      throw mistake("a comparison is missing")
    }
    position += 1
    if isNext(sign: "[") {
      throw mistake("case- or accent-insensitive comparison is not supported")
    }
    return .comparison(left, comparison, try expression())
  }

  private var nextOperator: MappingPredicate.Operator? {
    switch tokens[position].token {
    case .sign("="), .sign("=="): .equal
    case .sign("!="), .sign("<>"): .notEqual
    case .sign("<"): .less
    case .sign("<="), .sign("=<"): .lessOrEqual
    case .sign(">"): .greater
    case .sign(">="), .sign("=>"): .greaterOrEqual
    case .word(let word): MappingPredicate.Operator(rawValue: word.uppercased())
    default: nil
    }
  }

  // MARK: Expressions

  private mutating func expression() throws(Mistake) -> MappingExpression {
    try enter()
    defer { depth -= 1 }
    var expression = try primary()
    while take(sign: ".") {
      guard case .word(let word) = tokens[position].token else {
        throw mistake("no name follows the “.”")
      }
      position += 1
      let name = word.first == "#" ? String(word.dropFirst()) : word
      if case .keyPath(of: let operand, let names) = expression {
        expression = .keyPath(of: operand, names + [name])
      } else {
        expression = .keyPath(of: expression, [name])
      }
    }
    for sign in ["+", "-", "*", "/", "**", "[", ":="] where isNext(sign: sign) {
      throw mistake("“\(sign)” is not supported")
    }
    return expression
  }

  private mutating func primary() throws(Mistake) -> MappingExpression {
    let token = tokens[position].token
    switch token {
    case .text(let text):
      position += 1
      return .constant(.text(text))
    case .variable(let name):
      position += 1
      return .variable(name)
    case .number(let digits):
      position += 1
      return .constant(try number(digits))
    case .sign("-"):
      guard case .number(let digits) = tokens[position + 1].token else { break }
      position += 2
      return .constant(try number("-" + digits))
    case .sign("{"):
      position += 1
      return .list(try arguments(until: "}"))
    case .word(let word): return try named(word)
    case .sign, .end: break
    }
    throw mistake(token == .end ? "a value is missing" : "expected a value")
  }

  private mutating func named(_ word: String) throws(Mistake) -> MappingExpression {
    position += 1
    if take(sign: "(") { return try call(word) }
    // The mark before a name that is also a keyword.
    if word.first == "#" { return .keyPath(of: .itself, [String(word.dropFirst())]) }
    return switch word.uppercased() {
    case "TRUE", "YES": .constant(.integer(1))
    case "FALSE", "NO": .constant(.integer(0))
    case "NIL", "NULL": .constant(.null)
    case "SELF": .itself
    default: .keyPath(of: .itself, [word])
    }
  }

  private mutating func call(_ word: String) throws(Mistake) -> MappingExpression {
    let column = tokens[position - 2].column
    let arguments = try arguments(until: ")")
    switch (word.uppercased(), arguments.count) {
    case ("FUNCTION", 2...):
      guard let selector = arguments[1].text else { break }
      return MappingExpression.call(selector, on: arguments[0], Array(arguments[2...]))
    case ("FETCH", 3):
      guard case .constant(.integer(let counts)) = arguments[2] else { break }
      return .fetch(arguments[0], context: arguments[1], countsOnly: counts != 0)
    case ("CAST", 2):
      guard let type = arguments[1].text, let value = MappingExpression.cast(arguments[0], type)
      else { break }
      return .constant(value)
    default: break
    }
    throw Mistake("\(word)(…) is not supported", column: column)
  }

  private mutating func arguments(until end: String) throws(Mistake) -> [MappingExpression] {
    var arguments: [MappingExpression] = []
    if take(sign: end) { return [] }
    repeat { arguments.append(try expression()) } while take(sign: ",")
    try expect(sign: end)
    return arguments
  }

  private func number(_ digits: String) throws(Mistake) -> Value {
    if let integer = Int64(digits) { return .integer(integer) }
    guard let double = Double(digits), double.isFinite else {
      throw Mistake("the number is too large", column: tokens[position - 1].column)
    }
    return .double(double)
  }

  // MARK: Tokens

  private mutating func enter() throws(Mistake) {
    depth += 1
    guard depth <= Self.deepest else { throw mistake("it is nested too deeply") }
  }

  private func isNext(word: String) -> Bool {
    if case .word(let next) = tokens[position].token { next.uppercased() == word } else { false }
  }

  private func isNext(sign: String) -> Bool { tokens[position].token == .sign(sign) }

  private mutating func take(word: String) -> Bool {
    guard isNext(word: word) else { return false }
    position += 1
    return true
  }

  private mutating func take(sign: String) -> Bool {
    guard isNext(sign: sign) else { return false }
    position += 1
    return true
  }

  private mutating func expect(sign: String) throws(Mistake) {
    guard take(sign: sign) else { throw mistake("a “\(sign)” is missing") }
  }

  private func expectEnd() throws(Mistake) {
    guard tokens[position].token == .end else { throw mistake("expected the end") }
  }

  private func mistake(_ message: String) -> Mistake {
    Mistake(message, column: tokens[position].column)
  }
}

extension MappingExpression {
  /// Returns the value of a constant cast, such as `CAST(0, "NSDate")`; `nil` if the cast is unknown.
  static func cast(_ value: MappingExpression, _ type: String) -> Value? {
    guard case .constant(let constant) = value else { return nil }
    switch (type, constant) {
    case ("NSDate", .integer(let seconds)): return .date(Double(seconds))
    case ("NSDate", .double(let seconds)): return .date(seconds)
    case ("NSDecimalNumber", .text(let digits)) where Double(digits)?.isFinite == true:
      return .decimal(digits)
    default: return nil
    }
  }
}
