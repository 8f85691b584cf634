package import DecantBase
internal import DecantMatch
package import DecantPlan
internal import DecantStore
package import DecantSQLite

/// The reason why the destination refused an object.
package struct Refusal {
  let code: RejectCode
  package let reason: String
  package let isUnknownEntity: Bool
  /// Whether the reason is a dangling link whose rule in a mapping is to reject the object.
  package let isMissing: Bool

  /// Whether another row of the same table has values that must be unique.
  package var isOfUniqueValues: Bool { code == .unique && !reason.hasPrefix(Refusal.ofTrigger) }

  /// The beginning of the reason if a trigger caused the refusal.
  fileprivate static let ofTrigger = "a trigger adds a row to "

  /// Returns the place of the errors about objects that the destination's table called `name` refused.
  package static func place(table name: String) -> String { "table \(name) of the destination" }

  /// The remedy for refused objects in general.
  package static let remedy: DecantError.Text =
    "pass \(say: .onError, "reject") to leave such objects out, or select objects with \(say: .where), or with \(say: .root) to copy related objects together"

  /// The remedy for this refusal.
  package var remedy: DecantError.Text { code == .link ? Refusal.remedyOfLink : Refusal.remedy }

  /// The remedy for a required link whose target is left out.
  package static let remedyOfLink: DecantError.Text =
    "select objects with \(say: .root) instead of \(option: .where), which copies related objects together, "
    + "or pass \(say: .onError, "reject") to leave such objects out"

  /// Describes a refusal by the place of the destination.
  package init(_ row: RefusedRow) {
    (code, reason, isUnknownEntity, isMissing) = (.refused, row.reason, false, false)
  }

  /// The message with which an SQL function refuses a row for this reason.
  package var message: String { code.message(reason) }

  /// Converts SQLite's reason to the words of the model.
  package init(_ error: SQLiteError, step: CopyStep) {
    isUnknownEntity = error.message.hasPrefix(RejectCode.unknownEntity)
    let unique = "UNIQUE constraint failed: "
    if error.message.hasPrefix(unique + "index ") {
      // An index on an expression, which is no attribute's value.
      code = .unique
      reason =
        "another object has the same value in the \(error.message.dropFirst(unique.count)), which is an expression index"
    } else if error.message.hasPrefix(unique) {
      let columns = error.message.dropFirst(unique.count).split(separator: ", ")
      let table = columns.first.flatMap { $0.split(separator: ".").first }.map(String.init) ?? step.table
      let names = columns.map { column in
        let name = column.split(separator: ".").last.map(String.init) ?? String(column)
        guard table.isSameName(as: step.table) else { return name }
        let assignment = step.assignments.first { $0.column == name }
        return name == step.keyColumn ? "key" : assignment?.proof?.property ?? name
      }
      code = .unique
      let list = names.joined(separator: " and ")
      reason =
        table.isSameName(as: step.table)
        ? "another object has the same \(list)"
        : "\(Refusal.ofTrigger)\(table), which has another one with the same \(list)"
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

  /// Returns the missing link, if a required column is empty because of it.
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
  /// Returns the error with the remedy to run no triggers, if some of the destination's may have written the row.
  ///
  /// `triggers` contains those that add rows, by the table of these rows.
  package func naming(triggers: [String: [String]]) -> DecantError {
    let isOfTrigger = message.contains(Refusal.ofTrigger)
    let names = Set(
      triggers.filter { isOfTrigger || place == Refusal.place(table: $0.key) }.values.joined())
    guard advice == Refusal.remedy, !names.isEmpty else { return self }
    var error = self
    error.advice =
      "a trigger of the destination may have written it: \(names.sorted().joined(separator: ", ")); "
      + "\(say: .noTriggers) writes only the source's rows; or " + Refusal.remedy
    return error
  }

  /// Returns the error with a remedy to copy and paste, if conditions exclude the target of a required link.
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
