/// The variants of a statement in which calls and compounds are replaced by each of their parts.
struct SQLVariants {
  private let tokens: [SQLTokens.Token]
  private let limit: Int

  init(_ tokens: [SQLTokens.Token], limit: Int) {
    self.tokens = tokens
    self.limit = limit
  }

  /// Whether rows may come from several SELECTs.
  var hasCompounds: Bool {
    tokens.contains { SQLVariants.compounds.contains($0.word) || $0.word == "values" }
  }

  /// The statements; `nil` if there are too many, or the statement contains VALUES.
  var texts: [String]? {
    guard !tokens.contains(where: { $0.word == "values" }) else { return nil }
    return variants(of: tokens[...], isWhole: true)
  }

  private static let compounds: Set<String> = ["union", "intersect", "except"]
  /// Functions that return one of their arguments, or NULL.
  private static let choices: Set<String> = ["min", "max", "coalesce", "ifnull"]
  /// Functions that return only certain arguments, counted from 0.
  private static let selections: [String: [Int]] = [
    "nullif": [0], "iif": [1, 2], "first_value": [0], "last_value": [0], "nth_value": [0],
    "lag": [0, 2], "lead": [0, 2],
  ]

  /// Returns the arguments that a call may return; `nil` for other functions.
  private static func values(of call: String, _ arguments: [Tokens]) -> [Tokens]? {
    if choices.contains(call) { return arguments }
    guard let selected = selections[call] else { return nil }
    return selected.filter { $0 < arguments.count }.map { arguments[$0] }
  }

  private typealias Tokens = ArraySlice<SQLTokens.Token>

  private func variants(of tokens: Tokens, isWhole: Bool = false) -> [String]? {
    if isWhole, tokens.split(inTop: { Self.compounds.contains($0.word) }).count > 1 {
      return compoundVariants(of: tokens)
    }
    var texts: [String]? = [""]
    var rest = tokens
    while let token = rest.first {
      if let inside = rest.dropFirst().inParentheses,
        let values = Self.values(of: token.word, inside.split(inTop: { $0.text == "," }))
      {
        let chosen = values.map { argument in
          variants(of: argument.first?.word == "distinct" ? argument.dropFirst() : argument)
        }
        texts = product(texts, all(chosen)?.map { "(\($0))" })
        rest = rest.dropFirst(inside.count + 3).withoutWindow
      } else if let inside = rest.inParentheses {
        texts = product(texts, variants(of: inside, isWhole: true)?.map { "(\($0))" })
        rest = rest.dropFirst(inside.count + 2)
      } else {
        // Adjacent tokens stay adjacent: operators may have two characters.
        let isApart = rest.startIndex > 0 && self.tokens[rest.startIndex - 1].end < token.start
        texts = product(texts, [(isApart ? " " : "") + token.text])
        rest = rest.dropFirst()
      }
    }
    return texts
  }

  /// Returns each part of a compound separately, after the common WITH, without ORDER BY and LIMIT.
  private func compoundVariants(of tokens: Tokens) -> [String]? {
    let parts = tokens.split(inTop: { Self.compounds.contains($0.word) })
    var prefix: Tokens = []
    if parts.first?.first?.word == "with", let first = parts.first {
      prefix = first.prefixInTop { $0.word != "select" }
    }
    let own = parts.enumerated().map { index, part -> [String]? in
      var part = index == 0 ? part.dropFirst(prefix.count) : part
      if part.first?.word == "all" { part = part.dropFirst() }
      return variants(of: part.prefixInTop { !["order", "limit"].contains($0.word) })
    }
    return product(variants(of: prefix), all(own)?.map { " " + $0 })
  }

  private func all(_ choices: [[String]?]) -> [String]? {
    let texts = choices.compactMap(\.self).flatMap(\.self)
    guard choices.allSatisfy({ $0 != nil }), texts.count <= limit else { return nil }
    return texts
  }

  private func product(_ one: [String]?, _ other: [String]?) -> [String]? {
    guard let one, let other, one.count * other.count <= limit else { return nil }
    return one.flatMap { first in other.map { first + $0 } }
  }
}

extension ArraySlice<SQLTokens.Token> {
  /// The content of the parentheses at the beginning of the slice.
  var inParentheses: Self? {
    guard first?.text == "(", first?.kind == .sign else { return nil }
    var depth = 0
    for index in indices {
      depth += self[index].depthChange
      if depth == 0 { return self[(startIndex + 1)..<index] }
    }
    return nil
  }

  /// The rest after the FILTER and OVER clauses of a call, which do not affect the type of its value.
  fileprivate var withoutWindow: Self {
    var rest = self
    if rest.first?.word == "filter", let inside = rest.dropFirst().inParentheses {
      rest = rest.dropFirst(inside.count + 3)
    }
    guard rest.first?.word == "over" else { return rest }
    if let inside = rest.dropFirst().inParentheses { return rest.dropFirst(inside.count + 3) }
    return rest.dropFirst().first?.name == nil ? rest : rest.dropFirst(2)
  }

  /// Returns the parts between the `separators` outside of parentheses.
  fileprivate func split(inTop isSeparator: (Element) -> Bool) -> [Self] {
    var parts: [Self] = []
    var start = startIndex
    var depth = 0
    for index in indices {
      depth += self[index].depthChange
      guard depth == 0, self[index].depthChange == 0, isSeparator(self[index]) else { continue }
      parts.append(self[start..<index])
      start = index + 1
    }
    return parts + [self[start...]]
  }

  /// Returns the tokens before the first one outside of parentheses for which `isInside` is false.
  fileprivate func prefixInTop(while isInside: (Element) -> Bool) -> Self {
    var depth = 0
    for index in indices {
      depth += self[index].depthChange
      if depth == 0, self[index].depthChange == 0, !isInside(self[index]) {
        return self[startIndex..<index]
      }
    }
    return self
  }
}

extension SQLTokens.Token {
  fileprivate var depthChange: Int {
    guard kind == .sign else { return 0 }
    return text == "(" ? 1 : text == ")" ? -1 : 0
  }
}
