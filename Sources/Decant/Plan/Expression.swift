internal import SQLite

/// A user's SQL expression over the attributes of an entity, checked before it is used.
///
/// It is compiled on a scratch connection that holds nothing but empty tables named as the entities,
/// under an authorizer that allows reading them and calling functions and nothing else; once as
/// `(e)` and once as `CASE WHEN e THEN 1 END`. In the second no parenthesis is open that `1) OR (1`
/// could close; the first has no THEN that it could reach past. Only what passes both is one
/// expression and nothing more, and may be spliced into a statement.
struct Expression {
  let text: String
  /// What it reads: columns of views by their names.
  let reads: Set<Property>

  /// Why an expression cannot be used.
  struct Mistake: Error {
    let message: String
    let remedy: String?
  }

  /// Checks `text`, an expression over the objects of `entity`, one of `views`.
  init(_ text: String, over entity: String, views: EntityViews) throws(Mistake) {
    self.text = text
    let authorizer = SelectAuthorizer(
      allowing: SafeFunctions.repeatable,
      views: views.views,
      allowsRecursion: false
    )
    let comparison: TextComparisons.Finding?
    do throws(SQLiteError) {
      let scratch = try views.scratch(authorizer)
      for candidate in ["(\(text)\n)", "CASE WHEN \(text)\nTHEN 1 END"] {
        let statement = try scratch.prepare("SELECT \(candidate) FROM \(entity.quotedName)")
        guard statement.columnCount == 1 else {
          throw SQLiteError(code: 1, message: "it is not one expression")
        }
        guard statement.parameterCount == 0 else {
          throw SQLiteError(code: 1, message: "it has a parameter, for which there is no value")
        }
      }
      // Where it will stand: no sum over all objects makes sense there.
      let statement = "SELECT 1 FROM \(entity.quotedName) WHERE (\(text)\n)"
      _ = try scratch.prepare(statement)
      comparison = try TextComparisons(statement, views: views).findings.first(where: \.isCertain)
    } catch {
      throw Mistake(
        message: error.message,
        remedy: Expression.remedy(for: error.message, entity: entity, views: views)
      )
    }
    reads = authorizer.readColumns
    guard let comparison else { return }
    throw Mistake(message: comparison.message, remedy: comparison.remedy)
  }

  /// Checks `text`, the condition named `option` of `entity`, one of `views`.
  ///
  /// An error tells it as `origin` has it, where a file does: what was filled in stays out.
  init(
    _ text: String,
    entity: String,
    views: EntityViews,
    option: String,
    origin: CopyOptions.Filter.Origin? = nil
  ) throws(DecantError) {
    do throws(Mistake) {
      try self.init(text, over: entity, views: views)
    } catch {
      throw DecantError(
        .usage,
        "cannot use the condition of \(origin == nil ? option : "the share") "
          + "“\(entity): \(origin?.text ?? text)”: \(error.message)",
        place: origin?.place,
        remedy: error.remedy
      )
    }
  }

  private static func remedy(for message: String, entity: String, views: EntityViews) -> String {
    let names = views[entity]?.propertyNames ?? []
    let marker = "no such column: "
    if let range = message.firstRange(of: marker) {
      let misspelt = String(message[range.upperBound...])
      if let near = misspelt.nearest(in: names) { return "did you mean \(near)?" }
    }
    return "\(entity) has \(names.sorted().joined(separator: ", ")); text is written 'like this'"
  }
}
