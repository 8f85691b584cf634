package import DecantBase
internal import DecantSQLite

/// A user's SQL expression on the attributes of an entity, checked before use.
///
/// It is compiled on a scratch connection with only empty tables named like the entities, under an authorizer that
/// allows only reading them and calling functions; once as `(e)` and once as `CASE WHEN e THEN 1 END`. In the second
/// form there is no open parenthesis that `1) OR (1` could close; in the first there is no THEN. Text that passes both
/// is a single expression, and can be inserted into a statement.
package struct Expression {
  package let text: String
  /// The properties that it reads, as columns of views.
  package let reads: Set<Property>

  /// The reason why an expression is invalid.
  package struct Mistake: Error {
    package let message: String
    package let remedy: String?
    /// The error code, of the family `.usage`.
    package var code = DecantError.Code.invalidExpression
    /// The remedies as values; `nil` for those of the code.
    package var remedies: [DecantError.Remedy]?

    package init(
      message: String,
      remedy: String?,
      code: DecantError.Code = DecantError.Code.invalidExpression,
      remedies: [DecantError.Remedy]? = nil
    ) {
      (self.message, self.remedy, self.code) = (message, remedy, code)
      self.remedies = remedies
    }
  }

  /// Checks `text`, an expression on the objects of `entity`, one of `views`.
  package init(_ text: String, over entity: String, views: EntityViews) throws(Mistake) {
    self.text = text
    let authorizer = SelectAuthorizer(allowing: SafeFunctions.repeatable, views: views, allowsRecursion: false)
    let comparison: TextComparisons.Finding?
    do throws(SQLiteError) {
      let scratch = try views.scratch(authorizer)
      for candidate in ["(\(text)\n)", "CASE WHEN \(text)\nTHEN 1 END"] {
        let statement = try scratch.prepare("SELECT \(candidate) FROM \(entity.quotedName)")
        // Collations are looked up only when values are compared.
        _ = try scratch.prepare("SELECT DISTINCT \(candidate) FROM \(entity.quotedName)")
        guard statement.columnCount == 1 else {
          throw SQLiteError(code: 1, message: "it is not a single expression")
        }
        guard statement.parameterCount == 0 else {
          throw SQLiteError(code: 1, message: "it has a parameter without a value")
        }
      }
      let statement = Expression.statement(text, over: entity)
      _ = try scratch.prepare(statement)
      comparison = try TextComparisons(statement, views: views).findings.first(where: \.isCertain)
    } catch {
      throw Expression.mistake(error.message, entity: entity, views: views)
    }
    reads = authorizer.readColumns
    guard let comparison else { return }
    throw Mistake(message: comparison.message, remedy: comparison.remedy)
  }

  /// Checks `text`, the condition of `entity`, one of `views`, that `option` gives.
  ///
  /// An error shows it as in `origin`, if it comes from a file: without inserted values. An inserted text that is
  /// compared with a date or a UUID is read as one.
  package init(
    _ text: String,
    entity: String,
    views: EntityViews,
    option: DecantError.Option,
    origin: CopyOptions.Filter.Origin? = nil
  ) throws(DecantError) {
    do throws(Mistake) {
      let typed = origin == nil ? text : Expression.typed(text, over: entity, views: views)
      try self.init(typed, over: entity, views: views)
    } catch {
      throw DecantError(
        error.code,
        origin.map {
          "cannot use the condition of the share “\(entity): \($0.text)”: \(error.message)"
        }
          ?? "cannot use the condition of \(option: option) “\(entity): \(text)”: \(error.message)",
        place: origin.map { "\($0.place)" },
        remedy: error.remedy.map { "\($0)" },
        remedies: error.remedies
      )
    }
  }

  /// Returns `text` with texts replaced by dates and UUIDs where they are compared with such.
  private static func typed(_ text: String, over entity: String, views: EntityViews) -> String {
    var text = text
    // A text that does not compile is reported by its check.
    while let found = try? TextComparisons(statement(text, over: entity), views: views).findings
      .first(where: { $0.isCertain && $0.isReadable })
    {
      let bytes = Array(text.utf8)
      let start = statement("", over: entity).utf8.count - Expression.ending.utf8.count
      let place = found.literal.place.lowerBound - start..<found.literal.place.upperBound - start
      text =
        String(decoding: bytes[..<place.lowerBound], as: UTF8.self)
        + (found.conversion ?? "")
        + String(decoding: bytes[place.upperBound...], as: UTF8.self)
    }
    return text
  }

  /// Returns the context of a condition, in which aggregates are not allowed.
  private static func statement(_ text: String, over entity: String) -> String {
    "SELECT 1 FROM \(entity.quotedName) WHERE (\(text)\(ending)"
  }

  private static let ending = "\n)"

  private static func mistake(_ message: String, entity: String, views: EntityViews) -> Mistake {
    guard !message.hasPrefix("no such collation") else {
      return Mistake(message: message, remedy: "use COLLATE NOCASE, RTRIM or BINARY to compare text")
    }
    let names = views[entity]?.propertyNames ?? []
    let all = "\(entity) has \(names.sorted().joined(separator: ", ")); write text 'like this'"
    guard let range = message.firstRange(of: "no such column: ") else {
      return Mistake(message: message, remedy: all)
    }
    let near = String(message[range.upperBound...]).nearest(in: names)
    return Mistake(
      message: message,
      remedy: near.map { "did you mean \($0)?" } ?? all,
      code: .unknownName,
      remedies: [.correctName(nearest: near)]
    )
  }
}
