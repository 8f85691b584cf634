internal import DecantSQLite

/// The SQL expression of a column's value, in which links are structured parts.
///
/// It is written as a string literal. Interpolated links and expressions keep their structure, so that links need not
/// be recognised in the text.
package struct SQLExpression: Sendable, Hashable {
  fileprivate enum Part: Sendable, Hashable {
    case sql(String)
    case link(LinkExpression)
  }

  fileprivate var parts: [Part]

  /// Creates an expression that consists of a link.
  init(_ link: LinkExpression) { parts = [.link(link)] }

  /// Creates any other expression.
  package init(_ sql: String) { parts = [.sql(sql)] }

  /// The link, if the expression is only a link; otherwise `nil`.
  package var link: LinkExpression? {
    guard parts.count == 1, case .link(let link) = parts[0] else { return nil }
    return link
  }

  /// The links in the expression.
  package var links: [LinkExpression] {
    parts.compactMap { if case .link(let link) = $0 { link } else { nil } }
  }

  /// Returns whether it contains a link that is counted under `name`.
  func counts(_ name: String) -> Bool {
    links.contains { $0.counting == name }
  }

  /// The same expression without counting links.
  package var uncounted: SQLExpression {
    var expression = self
    for case (let index, .link(var link)) in parts.enumerated() {
      link.counting = nil
      expression.parts[index] = .link(link)
    }
    return expression
  }
}

extension SQLExpression: ExpressibleByStringInterpolation {
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var parts: [Part] = []

    package init(literalCapacity: Int, interpolationCount: Int) {}

    /// Appends SQL to the previous part, so that expressions with equal texts are equal.
    package mutating func appendLiteral(_ literal: String) {
      guard !literal.isEmpty else { return }
      if case .sql(let before) = parts.last {
        parts[parts.count - 1] = .sql(before + literal)
      } else {
        parts.append(.sql(literal))
      }
    }

    package mutating func appendInterpolation(_ expression: SQLExpression) {
      for part in expression.parts {
        switch part {
        case .sql(let sql): appendLiteral(sql)
        case .link: parts.append(part)
        }
      }
    }

    mutating func appendInterpolation(_ link: LinkExpression) { parts.append(.link(link)) }

    package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      appendLiteral(value.description)
    }
  }

  package init(stringLiteral sql: String) { self.init(sql) }

  package init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }
}

extension SQLExpression: CustomStringConvertible {
  /// The SQL.
  package var description: String {
    parts.map { part in
      switch part {
      case .sql(let sql): sql
      case .link(let link): link.description
      }
    }.joined()
  }
}

/// A link that is resolved by the ID table.
package struct LinkExpression: Sendable, Hashable, CustomStringConvertible {
  /// The SQL function that resolves it.
  package enum Function: String, Sendable {
    /// NULL for a link without target.
    case id
    /// As `id`, but a value that can lead to no other object is kept.
    case link
    /// The target's key in the source.
    case sourceKey = "link_key"
    /// That key if the source has no such object.
    case missingTarget = "missing_target"
  }

  var function = Function.id
  /// The root entity of the possible targets.
  package var root: String
  /// SQL for the target's key in the source.
  package var key: String
  /// The text before the key; `nil` for a plain key.
  var prefix: String?
  /// The relationship under which it is counted; `nil` if it is not counted.
  package var counting: String?

  /// Returns the same link, resolved by `function`.
  package func calling(_ function: Function) -> LinkExpression {
    var link = self
    link.function = function
    return link
  }

  /// The SQL.
  package var description: String {
    let count = counting.map { ", \($0.sqlText)" } ?? ""
    let call = "\(function.rawValue)(\(root.sqlText), \(key)\(count))"
    return prefix.map { "(\($0.sqlText) || \(call))" } ?? call
  }
}
