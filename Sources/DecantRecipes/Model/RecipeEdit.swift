package import DecantBase
internal import DecantRecipeFormats
internal import DecantSQLite

/// What somebody writes into fields of a recipe, as the store holds it: values of its columns, and names that it is
/// linked to.
package struct RecipeEdit {
  /// Columns of the recipe, each with what it is to hold.
  package private(set) var values: [(column: String, value: StoreValue)] = []
  /// The sources, categories or tags that it is to have and no others, by the name of their table.
  package private(set) var names: [(table: String, names: [String])] = []

  /// The fields whose values are names that recipes share, each with their table.
  private static let tables = [("source", "Source"), ("categories", "Category"), ("tags", "Tag")]

  /// The names of all fields.
  package static var fields: [String] { Recipe.fields.map(\.name) + tables.map(\.0) }

  /// Reads values as people write them: `4.5`, `1 h 20 min`, `yes`; several categories or tags with commas between them,
  /// and nothing to clear a field.
  ///
  /// What follows from a field changes with it: the minutes of a time, the servings of a yield.
  ///
  /// - Parameters:
  ///   - changes: Names of fields, each with its value.
  ///   - now: The time of the change, as in `2026-01-31T08:15:00Z`.
  /// - Throws: `DecantError` of the family `.usage` for a name that is none, and for a value that the field cannot have.
  package init(_ changes: [(field: String, value: String)], now: String) throws(DecantError) {
    var recipe = Recipe()
    var told: Set<String> = []
    func set(_ field: RecipeField<Recipe>, _ value: String) throws(DecantError) {
      try field.set(value, in: &recipe)
      values += zip(field.columns, field.bindings(of: recipe)).map { ($0.name, StoreValue($1)) }
    }
    for (name, value) in changes {
      guard told.insert(name).inserted else {
        throw DecantError(.conflictingOptions, "“\(name)” is given twice", remedy: "remove one of both")
      }
      if let table = RecipeEdit.tables.first(where: { $0.0 == name })?.1 {
        let list = value.split(separator: table == "Source" ? "\n" : ",").map { String($0).trimmingBlanks }
        names.append((table, list.filter { !$0.isEmpty }))
      } else if let field = Recipe.fields.first(where: { $0.name == name }) {
        try set(field, value.trimmingBlanks)
      } else {
        let nearest = name.nearest(in: RecipeEdit.fields).map { "did you mean \($0)? " } ?? ""
        throw DecantError(
          .unknownName,
          "a recipe has no field “\(name)”",
          remedy: "\(nearest)the fields are \(RecipeEdit.fields.joined(separator: ", "))"
        )
      }
    }
    if told.contains("yield"), !told.contains("servings") {
      values.append(("servings", recipe.yield.flatMap(Servings.number).map { .double($0) } ?? .null))
    }
    if told.contains("url") {
      values.append(("page", recipe.url.flatMap(PageAddress.normalized).map { .text($0) } ?? .null))
    }
    if !told.contains("modified") { values.append(("modified", .text(now))) }
  }
}

extension RecipeField<Recipe> {
  /// Reads a value as people write it into `recipe`; an empty one takes the value away.
  fileprivate func set(_ text: String, in recipe: inout Recipe) throws(DecantError) {
    let value = text.isEmpty ? nil : text
    switch place {
    case .needed(let path):
      guard let value else { throw invalid("it cannot be empty") }
      recipe[keyPath: path] = value
    case .text(let path): recipe[keyPath: path] = value
    case .number(let path):
      recipe[keyPath: path] = try value.map { text throws(DecantError) in try number(text) }
    case .mark(let path): recipe[keyPath: path] = try truth(text)
    case .truth(let path): recipe[keyPath: path] = try value.map { text throws(DecantError) in try truth(text) }
    case .time(let path):
      recipe[keyPath: path] = value.map { text in
        let minutes = Durations.minutes(text, plainIsMinutes: true)
        return RecipeTime(text: Double(text) == nil ? text : "\(text) min", minutes: minutes)
      }
    }
  }

  private func number(_ text: String) throws(DecantError) -> Double {
    let range = name == "rating" ? 0...5.0 : 0...1_000_000
    guard let number = Double(text.replacing(",", with: ".")), number > 0, range.contains(number) else {
      throw invalid(name == "rating" ? "a rating is a number up to 5, such as 4.5" : "it is a number above 0")
    }
    return number
  }

  private func truth(_ text: String) throws(DecantError) -> Bool {
    switch text.lowercased() {
    case "yes", "true", "1": true
    case "no", "false", "0": false
    default: throw invalid("it is yes or no")
    }
  }

  private func invalid(_ why: String) -> DecantError {
    DecantError(
      .invalidExpression, "the value for “\(name)” does not fit: \(why)", remedy: "an empty value clears a field")
  }
}

extension StoreValue {
  /// A value of a column of recipes.
  fileprivate init(_ binding: Binding) {
    switch binding {
    case .integer(let number): self = .integer(number)
    case .real(let number): self = .double(number)
    case .text(let text): self = .text(text)
    case .null, .utf8, .blob: self = .null
    }
  }
}
