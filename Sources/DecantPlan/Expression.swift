package import DecantBase
internal import DecantSQLite

/// A user's SQL expression over the attributes of an entity, checked before it is used.
///
/// It is compiled on a scratch connection that holds nothing but empty tables named as the entities,
/// under an authorizer that allows reading them and calling functions and nothing else; once as
/// `(e)` and once as `CASE WHEN e THEN 1 END`. In the second no parenthesis is open that `1) OR (1`
/// could close; the first has no THEN that it could reach past. Only what passes both is one
/// expression and nothing more, and may be spliced into a statement.
package struct Expression {
  package let text: String
  /// What it reads: columns of views by their names.
  package let reads: Set<Property>

  /// Why an expression cannot be used.
  package struct Mistake: Error {
    package let message: String
    package let remedy: String?
    /// Of what kind it is; of the family `.usage`.
    package var code = DecantError.Code.invalidExpression
    /// What can be done, as values; `nil` for what the code says.
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

  /// Checks `text`, an expression over the objects of `entity`, one of `views`.
  package init(_ text: String, over entity: String, views: EntityViews) throws(Mistake) {
    self.text = text
    let authorizer = SelectAuthorizer(allowing: SafeFunctions.repeatable, views: views, allowsRecursion: false)
    let comparison: TextComparisons.Finding?
    do throws(SQLiteError) {
      let scratch = try views.scratch(authorizer)
      for candidate in ["(\(text)\n)", "CASE WHEN \(text)\nTHEN 1 END"] {
        let statement = try scratch.prepare("SELECT \(candidate) FROM \(entity.quotedName)")
        // What orders values is looked up only where they are compared.
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

  /// Checks `text`, the condition named `option` of `entity`, one of `views`.
  ///
  /// An error tells it as `origin` has it, where a file does: what was filled in stays out. A text that was
  /// filled in beside a date or a UUID stands for one.
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

  /// Returns `text` with dates and UUIDs in place of the texts that they are compared with.
  private static func typed(_ text: String, over entity: String, views: EntityViews) -> String {
    var text = text
    // What does not compile is told by whoever checks it.
    while let found = try? TextComparisons(statement(text, over: entity), views: views).findings
      .first(where: { $0.isCertain && $0.isReadable })
    {
      let bytes = Array(text.utf8)
      let start = statement("", over: entity).utf8.count - Expression.ending.utf8.count
      let place = found.literal.place.lowerBound - start..<found.literal.place.upperBound - start
      text =
        String(decoding: bytes[..<place.lowerBound], as: UTF8.self)
        + "\(found.function)(\(found.literal.text.sqlText))"
        + String(decoding: bytes[place.upperBound...], as: UTF8.self)
    }
    return text
  }

  /// Where a condition will stand: no sum over all objects makes sense there.
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
