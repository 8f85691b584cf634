internal import DecantBase
internal import DecantSQLite

/// A search for comparisons of a date or a UUID with a text, which are never equal.
///
/// SQLite compares a number or bytes with a text silently, always with the same result. The names are found among the
/// tokens, and SQLite resolves them: in an outline with a twin of every such column, the statement with the twin's name
/// in place of the name compiles only if it refers to an entity's own column. Uncertain cases are reported, not
/// rejected.
struct TextComparisons {
  /// One such comparison.
  struct Finding {
    /// The column's name in the model.
    let column: String
    let type: AttributeType
    /// The text it is compared with.
    let literal: Literal
    /// Whether the name certainly refers to an entity's column.
    let isCertain: Bool
  }

  /// A text in a statement.
  struct Literal {
    /// The text between the quotes.
    let text: String
    /// Its byte range, including quotes.
    let place: Range<Int>
    /// The parameter with this value; `nil` for a literal in the statement.
    var parameter: String?
  }

  private(set) var findings: [Finding] = []
  private let tokens: [SQLTokens.Token]
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
      guard let column = tokens[index].name.flatMap({ columns[$0.lowercased()] }),
        let literal = literal(comparedWith: index, column.type)
      else { continue }
      var isCertain = column.isAlike && isPlain(index)
      if isCertain {
        if scratch == nil { scratch = try views.twinScratch() }
        let bytes = Array(sql.utf8)
        let before = String(decoding: bytes[..<tokens[index].start], as: UTF8.self)
        let after = String(decoding: bytes[tokens[index].end...], as: UTF8.self)
        let twin = EntityView.twin(of: column.name, column.type).quotedName
        // A statement that does not compile with the twin's name refers to something else.
        isCertain = (try? scratch?.prepare(before + twin + after)) != nil
      }
      findings.append(Finding(column: column.name, type: column.type, literal: literal, isCertain: isCertain))
    }
  }

  private struct Candidate {
    let name: String
    let type: AttributeType
    /// Whether all columns of the name, in the mentioned entities, have this type.
    let isAlike: Bool
  }

  /// The dates and UUIDs of the mentioned entities, by name in lower case.
  private var candidates: [String: Candidate] {
    let mentioned = Set(tokens.compactMap { $0.name?.lowercased() })
    let columns = views.views.filter { mentioned.contains($0.name.lowercased()) }.flatMap(\.columns)
    var candidates: [String: Candidate] = [:]
    for column in columns where mentioned.contains(column.name.lowercased()) {
      guard let type = column.type?.attribute, type.isTwinned else { continue }
      let name = column.name.lowercased()
      let isAlike = columns.allSatisfy {
        $0.name.lowercased() != name || $0.type?.attribute == type
      }
      candidates[name] = Candidate(name: column.name, type: type, isAlike: isAlike)
    }
    return candidates
  }
}

extension TextComparisons {
  private func token(_ index: Int) -> SQLTokens.Token? {
    tokens.indices.contains(index) ? tokens[index] : nil
  }

  private func word(_ index: Int) -> String { token(index)?.word ?? "" }
  private func isSign(_ index: Int, _ sign: String) -> Bool {
    token(index).map { $0.kind == .sign && $0.text == sign } ?? false
  }

  /// Returns the text at `index`, unless SQLite converts it to a number.
  private func literal(_ index: Int, _ type: AttributeType) -> Literal? {
    guard let token = token(index) else { return nil }
    let text: String
    let isParameter = token.kind == .parameter
    if isParameter {
      guard case .text(let value) = parameters[token.text] else { return nil }
      text = value
    } else {
      guard token.kind == .text, token.text.hasPrefix("'") else { return nil }
      text = String(token.text.dropFirst().dropLast()).replacing("''", with: "'")
    }
    if type == .date, Double(text.trimming(while: \.isWhitespace)) != nil { return nil }
    let place = token.start..<token.end
    return Literal(text: text, place: place, parameter: isParameter ? token.text : nil)
  }

  /// Returns the text with which the column named at `index` is compared.
  private func literal(comparedWith index: Int, _ type: AttributeType) -> Literal? {
    let start = isSign(index - 1, ".") ? index - 2 : index
    if begins(start) {
      if let end = comparison(at: index + 1) {
        guard let literal = literal(end, type), ends(end + 1) else { return nil }
        return literal
      }
      let next = word(index + 1) == "not" ? index + 2 : index + 1
      if word(next) == "between" { return literal(between: next + 1, type) }
      if word(next) == "in", isSign(next + 1, "(") { return literal(listedFrom: next + 2, type) }
    }
    guard ends(index + 1) else { return nil }
    for place in [start - 2, start - 3] where comparison(at: place + 1) == start && begins(place) {
      if let literal = literal(place, type) { return literal }
    }
    return nil
  }

  /// Returns the end of the comparison operator at `index`.
  private func comparison(at index: Int) -> Int? {
    if word(index) == "is" { return word(index + 1) == "not" ? index + 2 : index + 1 }
    guard let first = token(index), first.kind == .sign else { return nil }
    let second = token(index + 1).flatMap { $0.kind == .sign ? $0.text : nil } ?? ""
    if ["<>", "<=", ">=", "==", "!="].contains(first.text + second) { return index + 2 }
    guard ["<", ">", "="].contains(first.text), first.text != second else { return nil }
    return index + 1
  }

  private func literal(between index: Int, _ type: AttributeType) -> Literal? {
    if word(index + 1) == "and", let literal = literal(index, type) { return literal }
    var depth = 0
    for position in index..<max(index, tokens.count) {
      depth += isSign(position, "(") ? 1 : isSign(position, ")") ? -1 : 0
      guard depth >= 0 else { return nil }
      guard depth == 0, word(position) == "and" else { continue }
      return ends(position + 2) ? literal(position + 1, type) : nil
    }
    return nil
  }

  private func literal(listedFrom index: Int, _ type: AttributeType) -> Literal? {
    var depth = 0
    for position in index..<max(index, tokens.count) {
      if isSign(position, "(") { depth += 1 }
      if isSign(position, ")") { depth -= 1 }
      guard depth >= 0 else { return nil }
      let isAlone =
        (position == index || isSign(position - 1, ","))
        && (isSign(position + 1, ",") || isSign(position + 1, ")"))
      if depth == 0, isAlone, let literal = literal(position, type) { return literal }
    }
    return nil
  }

  /// Returns whether an expression begins at `index`, independent of the tokens before.
  private func begins(_ index: Int) -> Bool {
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
  private static let closers: Set<String> = [
    "and", "or", "then", "else", "end", "when", "group", "order", "limit", "having", "union",
    "intersect", "except", "window", "as", "from", "join", "left", "inner", "cross", "natural",
  ]
  /// Words after which a name is a reference to a column, not a new alias.
  private static let users: Set<String> = openers.union([
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
      if depth < 0 { return word(position + 1) == "as" }
    }
    return false
  }
}

extension TextComparisons.Finding {
  /// The message, if the comparison is certain.
  var message: String {
    type == .date
      ? "\(column) holds dates, stored as numbers, but is compared with text"
      : "\(column) holds UUIDs, stored as bytes, but is compared with text"
  }

  /// The note, if it is not certain.
  var note: ReportNote {
    ReportNote(
      .textComparison,
      "\(column) may hold \(type == .date ? "dates" : "UUIDs") where it is compared with text: then \(remedy)"
    )
  }

  /// Whether the text can be parsed as a date or a UUID.
  var isReadable: Bool {
    type == .date
      ? DateText.seconds(of: literal.text) != nil : [UInt8](uuidText: literal.text) != nil
  }

  /// The SQL function that converts the text.
  var function: String { type == .date ? "date_value" : "uuid_value" }

  /// How to write the value.
  var remedy: String {
    let example = type == .date ? "2026-01-31" : "5099F3F1-…"
    guard let parameter = literal.parameter else {
      return "write \(function)('\(isReadable ? literal.text : example)')"
    }
    return "write \(function)(\(parameter))"
      + (isReadable ? "" : ", and give it a value like \(example)")
  }
}

extension AttributeType {
  /// Whether people write the values in another form than SQLite stores them: dates and UUIDs.
  fileprivate var isTwinned: Bool { self == .date || self == .uuid }
}

extension EntityView {
  /// Returns the name of the twin of a date or a UUID in an outline.
  fileprivate static func twin(of name: String, _ type: AttributeType) -> String {
    "decant \(type.name) \(name)"
  }
}

extension EntityViews {
  /// Returns a scratch connection with a twin of every date and UUID.
  fileprivate func twinScratch() throws(SQLiteError) -> Connection {
    let scratch = try scratch(
      SelectAuthorizer(allowing: SafeFunctions.all, views: self, allowsRecursion: true)
    ) { column in
      guard let type = column.type?.attribute, type.isTwinned else { return nil }
      return EntityView.twin(of: column.name, type)
    }
    return scratch
  }
}
