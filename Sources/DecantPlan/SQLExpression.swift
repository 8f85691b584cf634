internal import DecantSQLite

/// What fills a column, as a value: SQL in which links stand as links.
///
/// It is written as a string literal. Interpolated links and expressions keep what they are, so that nobody has to
/// recognize a link by its text.
package struct SQLExpression: Sendable, Hashable {
  fileprivate enum Part: Sendable, Hashable {
    case sql(String)
    case link(LinkExpression)
  }

  fileprivate var parts: [Part]

  /// An expression that is a link and nothing else.
  init(_ link: LinkExpression) { parts = [.link(link)] }

  /// Any other expression.
  package init(_ sql: String) { parts = [.sql(sql)] }

  /// The link that it is; `nil` where it is more than a link, or none.
  package var link: LinkExpression? {
    guard parts.count == 1, case .link(let link) = parts[0] else { return nil }
    return link
  }

  /// The links that are part of it.
  package var links: [LinkExpression] {
    parts.compactMap { if case .link(let link) = $0 { link } else { nil } }
  }

  /// Whether a link that is counted under `name` is part of it.
  func counts(_ name: String) -> Bool {
    links.contains { $0.counting == name }
  }

  /// The same without counting links.
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

    /// Adds SQL to what stands before it, so that expressions of one text are equal.
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

/// A link that is followed through the ID table.
package struct LinkExpression: Sendable, Hashable, CustomStringConvertible {
  /// The SQL function that follows it.
  package enum Function: String, Sendable {
    /// NULL for a link that leads nowhere.
    case id
    /// As `id`, but a value that can lead to no other object stays.
    case link
    /// The key in the source of the object that it leads to.
    case sourceKey = "link_key"
    /// That key where the source has no such object.
    case missingTarget = "missing_target"
  }

  var function = Function.id
  /// The root entity of the objects that it may lead to.
  package var root: String
  /// SQL for the key of the object in the source.
  package var key: String
  /// What is written before the key; `nil` where the key stands alone.
  var prefix: String?
  /// The relationship under which it is counted; `nil` where it is not.
  package var counting: String?

  /// The same link, followed by `function`.
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
