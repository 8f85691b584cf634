package import DecantBase
package import DecantRecipeFormats
internal import DecantSQLite

/// An edit of fields of a recipe, as the store is to hold the result: column values, linked names, and lines.
package struct RecipeEdit {
  /// The change of a field: `nil` for an empty value before or after.
  package struct Change: Sendable, Hashable {
    package let field: String
    package let before, after: String?
  }

  /// A line of a list, as stored in the columns of its row.
  package struct Line {
    package let text: String
    package let isHeading: Bool
    package let values: [(column: String, value: StoreValue)]
  }

  /// The new values of columns of the recipe.
  package private(set) var values: [(column: String, value: StoreValue)] = []
  /// The complete new lists of sources, categories or tags, by the name of their table.
  package private(set) var names: [(table: String, names: [String])] = []
  /// The complete new lists of ingredients or steps, by the name of their table.
  package private(set) var lines: [(table: String, lines: [Line])] = []
  /// The requested changes, in the order given, and those derived from them.
  package private(set) var changes: [Change] = []
  /// Notes about changes that the user may not expect.
  package var notes: [ReportNote] = []
  /// The recipe after the edit.
  package private(set) var recipe: Recipe

  /// The names of all fields.
  package static var fields: [String] { FieldOfEdit.all.map(\.name) }

  /// Reads values as people write them: `4.5`, `1 h 20 min`, `yes`; several categories or tags separated by commas, one
  /// ingredient or step per line, and an empty text to clear a field.
  ///
  /// Derived values change, too: the minutes of a time, the servings of a yield.
  ///
  /// - Parameters:
  ///   - changes: Names of fields, ignoring case, each with its value.
  ///   - recipe: The current recipe.
  ///   - now: The time of the change, as in `2026-01-31T08:15:00Z`.
  ///   - spelled: Returns the spelling of a name in the table of sources, categories or tags, ignoring case; `nil` for
  ///     a new name.
  /// - Throws: `DecantError` of the family `.usage` for an unknown field, and for a value that the field cannot have.
  package init(
    _ changes: [(field: String, value: String)],
    of recipe: Recipe,
    now: String,
    spelled: (_ table: String, _ name: String) throws(DecantError) -> String?
  ) throws(DecantError) {
    self.recipe = recipe
    var fields: [FieldOfEdit] = []
    for (name, text) in changes {
      let field = try FieldOfEdit(named: name)
      guard !fields.contains(where: { $0.name == field.name }) else {
        throw DecantError(.conflictingOptions, "“\(field.name)” is given twice", remedy: "remove one of both")
      }
      fields.append(field)
      try set(field, EditedText(text, of: field.name), spelled)
    }
    func isTold(_ name: String) -> Bool { fields.contains { $0.name == name } }
    if isTold("yield"), !isTold("servings") {
      self.recipe.servings = self.recipe.yield.flatMap(Servings.number)
      values.append(("servings", self.recipe.servings.map { .double($0) } ?? .null))
      if self.recipe.servings != recipe.servings { fields += FieldOfEdit.all.filter { $0.name == "servings" } }
    } else if isTold("servings"), !isTold("yield"), let yield = recipe.yield,
      Servings.number(in: yield) != self.recipe.servings
    {
      notes.append(ReportNote(.remark, "the yield stays “\(yield)”", remedy: "to change it as well, add: yield TEXT"))
    }
    if isTold("url") {
      values.append(("page", self.recipe.url.flatMap(PageAddress.normalized).map { .text($0) } ?? .null))
    }
    if !isTold("modified") {
      self.recipe.modified = now
      values.append(("modified", .text(now)))
    }
    self.changes = fields.map { field in
      Change(field: field.name, before: field.text(of: recipe), after: field.text(of: self.recipe))
    }
  }

  private mutating func set(
    _ field: FieldOfEdit,
    _ text: EditedText,
    _ spelled: (String, String) throws(DecantError) -> String?
  ) throws(DecantError) {
    switch field {
    case .value(let field):
      try field.set(text, in: &recipe)
      values += zip(field.columns, field.bindings(of: recipe)).map { ($0.name, StoreValue($1)) }
      if case .time(let path) = field.place, let time = recipe[keyPath: path], time.minutes == nil {
        notes.append(
          ReportNote(
            .remark,
            "no time was recognized in “\(time.text)”: \(field.name) is stored as this text",
            remedy: "write a time like this: 1 h 20 min"
          )
        )
      }
    case .source:
      let name = text.line
      recipe.source = name.isEmpty ? nil : try spelled("Source", name) ?? name
      names.append(("Source", [recipe.source].compactMap(\.self)))
    case .names(_, let table, let path):
      var list: [String] = []
      for name in text.names {
        let name = try spelled(table, name) ?? name
        if !list.contains(where: { $0.lowercased() == name.lowercased() }) { list.append(name) }
      }
      recipe[keyPath: path] = list
      names.append((table, list))
    case .ingredients:
      recipe.ingredients = text.lines.map { RecipeIngredient(line: $0, headings: .all) }
      lines.append(("Ingredient", recipe.ingredients.map { Line(RecipeIngredient.fields, $0, $0.text, $0.isHeading) }))
    case .steps:
      // Many steps that are not headings end in a colon.
      let headings: LineHeading = [.hash, .bold]
      recipe.steps = text.lines.map { line in
        headings.text(line).map { RecipeStep($0, isHeading: true) } ?? RecipeStep(line.withoutStepNumber)
      }
      lines.append(("Step", recipe.steps.map { Line(RecipeStep.fields, $0, $0.text, $0.isHeading) }))
    }
  }
}

extension RecipeEdit.Line {
  /// Makes the row of a line; extra data of the old text's format are discarded.
  fileprivate init<Owner>(_ fields: [RecipeField<Owner>], _ line: Owner, _ text: String, _ isHeading: Bool) {
    (self.text, self.isHeading) = (text, isHeading)
    values = zip(fields.columns(), fields.bindings(of: line)).map { ($0.name, StoreValue($1)) } + [("extra", .null)]
  }
}

extension StoreValue {
  /// Makes a value of a column of recipes.
  fileprivate init(_ binding: Binding) {
    switch binding {
    case .integer(let number): self = .integer(number)
    case .real(let number): self = .double(number)
    case .text(let text): self = .text(text)
    case .null, .utf8, .blob: self = .null
    }
  }
}
