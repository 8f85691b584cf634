package import DecantBase
internal import DecantMatch
package import DecantPlan
internal import DecantStore
package import DecantSQLite

/// Why the destination refused an object.
package struct Refusal {
  let code: RejectCode
  package let reason: String
  package let isUnknownEntity: Bool
  /// Whether a link leads nowhere, for which a mapping says that the object is to be rejected.
  package let isMissing: Bool

  /// What can be done about one.
  package static let remedy: DecantError.Text =
    "pass \(say: .onError, "reject") to leave such objects out, or select objects with \(say: .where), or with \(say: .root) to copy related objects together"

  /// What can be done about this one.
  package var remedy: DecantError.Text { code == .link ? Refusal.remedyOfLink : Refusal.remedy }

  /// What can be done about a link that must lead somewhere and whose target is left out.
  package static let remedyOfLink: DecantError.Text =
    "select objects with \(say: .root) instead of \(option: .where), which copies related objects together, "
    + "or pass \(say: .onError, "reject") to leave such objects out"

  /// Reads SQLite's reason in the words of the model.
  package init(_ error: SQLiteError, step: CopyStep) {
    isUnknownEntity = error.message.hasPrefix(RejectCode.unknownEntity)
    let unique = "UNIQUE constraint failed: "
    if error.message.hasPrefix(unique + "index ") {
      // An index on an expression, which is the value of no attribute.
      code = .unique
      reason =
        "another object has the same value in the \(error.message.dropFirst(unique.count)), which is an expression index"
    } else if error.message.hasPrefix(unique) {
      let columns = error.message.dropFirst(unique.count).split(separator: ", ")
      let names = columns.map { column in
        let name = column.split(separator: ".").last.map(String.init) ?? String(column)
        let assignment = step.assignments.first { $0.column == name }
        return name == step.keyColumn ? "key" : assignment?.proof?.property ?? name
      }
      code = .unique
      reason = "another object has the same \(names.joined(separator: " and "))"
    } else if let column = Refusal.emptyLink(error, step) {
      code = .link
      reason = "its link \(column) points to an object that is not copied\(LinkSite.mustNotBeEmpty)"
    } else if error.isGeneral, let marked = RejectCode.marked(error.message) {
      (code, reason) = (marked.code, marked.text)
    } else {
      code = RejectCode(error)
      reason = error.message
    }
    isMissing = error.isGeneral && code == .link && !reason.hasSuffix(LinkSite.mustNotBeEmpty)
  }

  /// The link that is missing, where a column must not be empty and only a link can have made it so.
  private static func emptyLink(_ error: SQLiteError, _ step: CopyStep) -> String? {
    let marker = "NOT NULL constraint failed: "
    guard error.message.hasPrefix(marker),
      let column = error.message.split(separator: ".").last.map(String.init),
      let assignment = step.assignments.first(where: { $0.column == column }),
      !assignment.expression.links.isEmpty
    else { return nil }
    return column
  }
}

extension DecantError {
  /// The error with a remedy that can be pasted, where conditions leave out what a link must lead to.
  package func naming(rootsFor filters: [CopyOptions.Filter]) -> DecantError {
    guard advice == Refusal.remedyOfLink, !filters.isEmpty,
      filters.allSatisfy({ $0.origin == nil })
    else { return self }
    var error = self
    let roots: [DecantError.Text] = filters.map {
      "\(say: .root, "\($0.entity): \($0.expression)")"
    }
    error.advice =
      "copy related objects together: \(roots.joined(separator: " ")) instead of \(option: .where); "
      + "or leave such objects out: \(say: .onError, "reject")"
    return error
  }
}
