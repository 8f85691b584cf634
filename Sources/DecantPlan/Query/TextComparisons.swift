internal import DecantBase
internal import DecantSQLite
internal import DecantStore

/// A search for comparisons of a value with a literal of another form, which SQLite makes silently and wrongly.
///
/// A number or bytes are compared with a text always with the same result. Values of a server that are read as texts are
/// compared as on the server (see `SpellingOrder`), unless the text is no such value, or a function returns them: its result
/// has no collation. The names are found among the
/// tokens, and SQLite resolves them: in an outline with a twin of every such column, the statement with the twin's name
/// in place of the name compiles only if it refers to an entity's own column. Uncertain cases are reported, not
/// rejected.
struct TextComparisons {
  /// One such comparison.
  struct Finding {
    /// The column's name in the model.
    let column: String
    let content: Content
    /// The text or number it is compared with.
    let literal: Literal
    /// The function that returns it for the comparison, or `CASE` or `SELECT`; `nil` for the column itself.
    var function: String?
    /// Whether the name certainly refers to an entity's column.
    let isCertain: Bool
  }

  /// What a column holds that people write in another form.
  enum Content: Equatable {
    case date, uuid
    /// Values of a type of a server, read as texts.
    case spelled(ValueSpelling.Kind)

    /// The word for it in the names of twins.
    fileprivate var name: String {
      switch self {
      case .date: "date"
      case .uuid: "uuid"
      case .spelled(let kind): "server \(kind.rawValue)"
      }
    }
  }

  /// A text or a number in a statement.
  struct Literal {
    /// The text between the quotes.
    let text: String
    /// Its byte range, including quotes.
    let place: Range<Int>
    /// The parameter with this value; `nil` for a literal in the statement.
    var parameter: String?
  }

  private(set) var findings: [Finding] = []
  let tokens: [SQLTokens.Token]
  private let views: EntityViews
  private let parameters: QueryParameters

  /// Searches `sql`, a statement that compiles on the outlines of `views`.
  init(_ sql: String, views: EntityViews, parameters: QueryParameters = QueryParameters([:])) throws(SQLiteError) {
    tokens = SQLTokens(sql).tokens
    self.views = views
    self.parameters = parameters
    let columns = candidates
    var scratch: Connection?
    for index in tokens.indices {
      guard let column = tokens[index].name.flatMap({ columns[$0.lowercased()] }) else { continue }
      guard let (literal, function) = comparison(of: index, column.content) else { continue }
      var isCertain = column.isAlike && isPlain(index)
      if isCertain {
        if scratch == nil { scratch = try views.twinScratch() }
        let bytes = Array(sql.utf8)
        let before = String(decoding: bytes[..<tokens[index].start], as: UTF8.self)
        let after = String(decoding: bytes[tokens[index].end...], as: UTF8.self)
        let twin = EntityView.twin(of: column.name, column.content).quotedName
        // A statement that does not compile with the twin's name refers to something else.
        isCertain = (try? scratch?.prepare(before + twin + after)) != nil
      }
      findings.append(
        Finding(
          column: column.name,
          content: column.content,
          literal: literal,
          function: function,
          isCertain: isCertain
        )
      )
    }
  }

  private struct Candidate {
    let name: String
    let content: Content
    /// Whether all columns of the name, in the mentioned entities, have this content.
    let isAlike: Bool
  }

  /// The columns of the mentioned entities with such content, by name in lower case.
  private var candidates: [String: Candidate] {
    let mentioned = Set(tokens.compactMap { $0.name?.lowercased() })
    let columns = views.views.filter { mentioned.contains($0.name.lowercased()) }.flatMap(\.columns)
    var candidates: [String: Candidate] = [:]
    for column in columns where mentioned.contains(column.name.lowercased()) {
      guard let content = column.content else { continue }
      let name = column.name.lowercased()
      let isAlike = columns.allSatisfy { $0.name.lowercased() != name || $0.content == content }
      candidates[name] = Candidate(name: column.name, content: content, isAlike: isAlike)
    }
    return candidates
  }
}

extension TextComparisons {
  func token(_ index: Int) -> SQLTokens.Token? {
    tokens.indices.contains(index) ? tokens[index] : nil
  }

  func word(_ index: Int) -> String { token(index)?.word ?? "" }
  func isSign(_ index: Int, _ sign: String) -> Bool {
    token(index).map { $0.kind == .sign && $0.text == sign } ?? false
  }

  /// Returns the literal at `index`, unless it is compared as meant.
  ///
  /// A value that a function `isReturned` by is compared as a text.
  private func literal(_ index: Int, _ content: Content, _ isReturned: Bool) -> Literal? {
    guard let token = token(index) else { return nil }
    let place = token.start..<token.end
    if case .spelled(let kind) = content, token.kind == .number {
      return isReturned == (kind == .numeric) ? Literal(text: token.text, place: place) : nil
    }
    let text: String
    let isParameter = token.kind == .parameter
    if isParameter {
      guard case .text(let value) = parameters[token.text] else { return nil }
      text = value
    } else {
      guard token.kind == .text, token.text.hasPrefix("'") else { return nil }
      text = String(token.text.dropFirst().dropLast()).replacing("''", with: "'")
    }
    if content == .date, Double(text.trimming(while: \.isWhitespace)) != nil { return nil }
    if case .spelled(let kind) = content {
      let value = ValueSpelling(kind).respelled(.text(text))
      // A text that is no value is compared as a text with what a function returns, as meant; points in time in the
      // server's spelling have the order of texts.
      guard isReturned ? value != nil && (kind == .numeric || value != .text(text)) : value == nil else { return nil }
    }
    return Literal(text: text, place: place, parameter: isParameter ? token.text : nil)
  }

  /// Returns the literal with which the operand of `tokens`, a column or a call, is compared.
  private func literal(comparedWith operand: ClosedRange<Int>, _ content: Content, isReturned: Bool = false) -> Literal?
  {
    let end = operand.upperBound
    let start = isSign(operand.lowerBound - 1, ".") ? operand.lowerBound - 2 : operand.lowerBound
    func literal(_ index: Int) -> Literal? { self.literal(index, content, isReturned) }
    if begins(start) {
      if let right = comparison(at: end + 1) {
        guard let literal = literal(right), ends(right + 1) else { return nil }
        return literal
      }
      let next = word(end + 1) == "not" ? end + 2 : end + 1
      if word(next) == "between" { return self.literal(between: next + 1, literal) }
      if word(next) == "in", isSign(next + 1, "(") { return self.literal(listedFrom: next + 2, literal) }
    }
    guard ends(end + 1) else { return nil }
    for place in [start - 2, start - 3] where comparison(at: place + 1) == start && begins(place) {
      if let literal = literal(place) { return literal }
    }
    return nil
  }

  /// Returns the literal with which the column named at `index` is compared, itself or as the result of an expression that
  /// returns it, and what that is.
  private func comparison(of index: Int, _ content: Content) -> (literal: Literal, function: String?)? {
    guard case .spelled = content else { return literal(comparedWith: index...index, content).map { ($0, nil) } }
    // Of each operand also those that other parts of the statement use by its alias.
    var operands: [(place: ClosedRange<Int>, function: String?)] = [(index...index, nil)]
    var seen: Set<ClosedRange<Int>> = []
    while let operand = operands.popLast() {
      guard seen.insert(operand.place).inserted else { continue }
      let isReturned = operand.function != nil
      if let found = literal(comparedWith: operand.place, content, isReturned: isReturned) {
        return (found, operand.function)
      }
      if let outer = enclosing(operand.place) { operands.append((outer.place, operand.function ?? outer.function)) }
      if isReturned {
        operands += uses(ofAliasBehind: operand.place).map { (place: $0...$0, function: operand.function) }
      }
    }
    return nil
  }

  /// Returns the end of the comparison operator at `index`.
  func comparison(at index: Int) -> Int? {
    if word(index) == "is" { return word(index + 1) == "not" ? index + 2 : index + 1 }
    guard let first = token(index), first.kind == .sign else { return nil }
    let second = token(index + 1).flatMap { $0.kind == .sign ? $0.text : nil } ?? ""
    if ["<>", "<=", ">=", "==", "!="].contains(first.text + second) { return index + 2 }
    guard ["<", ">", "="].contains(first.text), first.text != second else { return nil }
    return index + 1
  }

  private func literal(between index: Int, _ literal: (Int) -> Literal?) -> Literal? {
    if word(index + 1) == "and", let literal = literal(index) { return literal }
    var depth = 0
    for position in index..<max(index, tokens.count) {
      depth += isSign(position, "(") ? 1 : isSign(position, ")") ? -1 : 0
      guard depth >= 0 else { return nil }
      guard depth == 0, word(position) == "and" else { continue }
      return ends(position + 2) ? literal(position + 1) : nil
    }
    return nil
  }

  private func literal(listedFrom index: Int, _ literal: (Int) -> Literal?) -> Literal? {
    var depth = 0
    for position in index..<max(index, tokens.count) {
      if isSign(position, "(") { depth += 1 }
      if isSign(position, ")") { depth -= 1 }
      guard depth >= 0 else { return nil }
      let isAlone =
        (position == index || isSign(position - 1, ","))
        && (isSign(position + 1, ",") || isSign(position + 1, ")"))
      if depth == 0, isAlone, let literal = literal(position) { return literal }
    }
    return nil
  }

  /// Returns whether an expression begins at `index`, independent of the tokens before.
  func begins(_ index: Int) -> Bool {
    guard index > 0 else { return index == 0 }
    return isSign(index - 1, "(") || isSign(index - 1, ",")
      || TextComparisons.openers.contains(word(index - 1))
  }

  /// Returns whether an expression ended before `index`.
  private func ends(_ index: Int) -> Bool {
    guard index < tokens.count else { return true }
    return [")", ",", ";"].contains { isSign(index, $0) }
      || TextComparisons.closers.contains(word(index))
  }

  private static let openers: Set<String> = [
    "select", "distinct", "where", "and", "or", "not", "on", "having", "when", "then", "else", "by",
  ]
  /// Functions that return one of their arguments.
  static let returners: Set<String> = [
    "coalesce", "first_value", "if", "ifnull", "iif", "lag", "last_value", "lead", "max", "min", "nth_value", "nullif",
  ]
  static let closers: Set<String> = [
    "and", "or", "then", "else", "end", "when", "group", "order", "limit", "having", "union",
    "intersect", "except", "window", "as", "from", "join", "left", "inner", "cross", "natural",
  ]
  /// Words after which a name is a reference to a column, not a new alias.
  static let users: Set<String> = openers.union([
    "all", "case", "between", "in", "is", "like", "glob", "limit", "offset", "using",
  ])

  /// Returns whether the comparison at `index` is one by operator precedence, and its name is not used as an alias in
  /// the statement.
  private func isPlain(_ index: Int) -> Bool {
    guard !followsBetween(index) else { return false }
    let name = tokens[index].name?.lowercased()
    return tokens.indices.allSatisfy { other in
      guard tokens[other].name?.lowercased() == name else { return true }
      guard let before = token(other - 1), !isListed(other) else { return false }
      return before.kind == .sign
        ? before.text != ")" : TextComparisons.users.contains(before.word)
    }
  }

  /// Returns whether the AND before the comparison belongs to a BETWEEN, which has higher precedence.
  private func followsBetween(_ index: Int) -> Bool {
    var hasAnd = false
    for position in tokens[..<index].indices.reversed() {
      let word = word(position)
      if isSign(position, "(") || isSign(position, ",") { return false }
      if word == "between" { return hasAnd }
      if word == "and" {
        if hasAnd { return false }
        hasAnd = true
      } else if TextComparisons.openers.contains(word), word != "not" {
        return false
      }
    }
    return false
  }

  /// Returns whether the name is in the column list of a common table expression.
  private func isListed(_ index: Int) -> Bool {
    guard tokens.contains(where: { $0.word == "with" }) else { return false }
    var depth = 0
    for position in index..<tokens.count {
      depth += isSign(position, "(") ? 1 : isSign(position, ")") ? -1 : 0
      // Behind an argument of a function, an alias follows.
      if depth < 0 {
        return word(position + 1) == "as"
          && (isSign(position + 2, "(") || ["not", "materialized"].contains(word(position + 2)))
      }
    }
    return false
  }
}

extension TextComparisons.Finding {
  /// The message, if the comparison is certain.
  var message: String {
    switch content {
    case .date: "\(column) holds dates, stored as numbers, but is compared with text"
    case .uuid: "\(column) holds UUIDs, stored as bytes, but is compared with text"
    case .spelled(let kind):
      function.map {
        "\($0) returns values of the type \(kind.rawValue) as texts: \(column) would be compared as a text"
      }
        ?? "\(column) holds values of the type \(kind.rawValue), but is compared with another value"
    }
  }

  /// The note, if it is not certain.
  var note: ReportNote {
    let what =
      switch content {
      case .date: "dates"
      case .uuid: "UUIDs"
      case .spelled(let kind): "values of the type \(kind.rawValue)"
      }
    return ReportNote(.textComparison, "\(column) may hold \(what) where it is compared with text: then \(remedy)")
  }

  /// Whether the text can be parsed as a date or a UUID, and replaced by a value.
  var isReadable: Bool { conversion != nil }

  /// SQL that converts the text; `nil` if no function of decant does.
  var conversion: String? {
    switch content {
    case .date: DateText.seconds(of: literal.text).map { _ in "date_value(\(literal.text.sqlText))" }
    case .uuid: [UInt8](uuidText: literal.text).map { _ in "uuid_value(\(literal.text.sqlText))" }
    case .spelled: nil
    }
  }

  /// How to write the value.
  var remedy: String {
    let (name, example) =
      switch content {
      case .date: ("date_value", "2026-01-31")
      case .uuid: ("uuid_value", "5099F3F1-…")
      case .spelled(let kind): ("", TextComparisons.Finding.example(kind))
      }
    if case .spelled(let kind) = content {
      guard kind != .numeric else { return function.map { own(form: $0) } ?? "write a number" }
      guard case .text(let own)? = ValueSpelling(kind).respelled(.text(literal.text)) else {
        return "write a value like '\(example)'"
      }
      return "write '\(own)'"
    }
    guard let parameter = literal.parameter else {
      return "write \(conversion ?? "\(name)('\(example)')")"
    }
    return "write \(name)(\(parameter))"
      + (isReadable ? "" : ", and give it a value like \(example)")
  }

  /// Returns how to write a number so that what returns it returns a number.
  private func own(form function: String) -> String {
    ["CASE", "SELECT"].contains(function)
      ? "write \(column) + 0 in the \(function)" : "write \(function)(\(column) + 0)"
  }

  /// Returns an example of a value of a type, in its spelling.
  private static func example(_ kind: ValueSpelling.Kind) -> String {
    switch kind {
    case .date: "2026-01-31"
    case .time: "08:15:00"
    case .timestamp: "2026-01-31 08:15:00"
    case .timestamptz: "2026-01-31T08:15:00.000000Z"
    default: "5099f3f1-0d3e-4f4c-9f0c-2f1d3c5b7a90"
    }
  }
}

extension EntityView.Column {
  /// What the column holds that people write in another form than it is read; `nil` for other content.
  fileprivate var content: TextComparisons.Content? {
    if let spelling, spelling.collation != nil { return .spelled(spelling.kind) }
    return switch type?.attribute {
    case .date: .date
    case .uuid: .uuid
    default: nil
    }
  }
}

extension EntityView {
  /// Returns the name of the twin of a column with some content in an outline.
  fileprivate static func twin(of name: String, _ content: TextComparisons.Content) -> String {
    "decant \(content.name) \(name)"
  }
}

extension EntityViews {
  /// Returns a scratch connection with a twin of every column whose content is written in another form.
  fileprivate func twinScratch() throws(SQLiteError) -> Connection {
    try scratch(SelectAuthorizer(allowing: SafeFunctions.all, views: self, allowsRecursion: true)) { column in
      column.content.map { EntityView.twin(of: column.name, $0) }
    }
  }
}
