internal import DecantBase
internal import DecantRecipeFormats

/// A field of a recipe that can be edited.
enum FieldOfEdit: Sendable {
  case value(RecipeField<Recipe>)
  /// A single name that recipes share.
  case source
  /// Names that recipes share, with their table.
  case names(String, table: String, any WritableKeyPath<Recipe, [String]> & Sendable)
  case ingredients
  case steps

  /// All fields, in the order in which they are listed.
  static let all: [FieldOfEdit] =
    Recipe.fields.map { .value($0) } + [
      .source, .names("categories", table: "Category", \.categories), .names("tags", table: "Tag", \.tags),
      .ingredients, .steps,
    ]

  /// Finds the field called `name`, ignoring case, and for a list also in the singular.
  init(named name: String) throws(DecantError) {
    let wanted = name.lowercased()
    let found = FieldOfEdit.all.first { field in
      let known = field.name.lowercased()
      return known == wanted || field.isList && ["\(wanted)s", "\(wanted.dropLast())ies"].contains(known)
    }
    guard let found else {
      let names = FieldOfEdit.all.map(\.name)
      throw DecantError(
        .unknownName,
        "a recipe has no field “\(name)”",
        remedy:
          "\(name.nearest(in: names).map { "did you mean \($0)? " } ?? "")the fields are \(names.joined(separator: ", "))"
      )
    }
    self = found
  }

  var name: String {
    switch self {
    case .value(let field): field.name
    case .source: "source"
    case .names(let name, _, _): name
    case .ingredients: "ingredients"
    case .steps: "steps"
    }
  }

  private var isList: Bool {
    switch self {
    case .value, .source: false
    case .names, .ingredients, .steps: true
    }
  }

  /// Returns the value in `recipe` in the form in which people write it; `nil` if it is empty.
  func text(of recipe: Recipe) -> String? {
    switch self {
    case .value(let field): return field.text(of: recipe)
    case .source: return recipe.source
    case .names(_, _, let path):
      let names = recipe[keyPath: path]
      return names.isEmpty ? nil : names.joined(separator: ", ")
    case .ingredients:
      let lines = recipe.ingredients.map { $0.isHeading ? "# \($0.text)" : $0.text }
      return lines.isEmpty ? nil : lines.joined(separator: "\n")
    case .steps:
      let lines = recipe.steps.map { $0.isHeading ? "# \($0.text)" : $0.text }
      return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }
  }
}

extension RecipeField<Recipe> {
  /// Returns the value in `recipe` in the form in which people write it; `nil` if it is empty.
  fileprivate func text(of recipe: Recipe) -> String? {
    func words(_ truth: Bool) -> String { truth ? "yes" : "no" }
    return switch place {
    case .needed(let path): recipe[keyPath: path]
    case .text(let path): recipe[keyPath: path]
    case .number(let path): recipe[keyPath: path].map(\.inWords)
    case .mark(let path): words(recipe[keyPath: path])
    case .truth(let path): recipe[keyPath: path].map(words)
    case .time(let path): recipe[keyPath: path]?.text
    }
  }

  /// Reads a value as people write it into `recipe`; an empty text clears the field.
  func set(_ text: EditedText, in recipe: inout Recipe) throws(DecantError) {
    let isProse = ["summary", "notes"].contains(name)
    let value = isProse ? text.prose : text.line
    guard !value.isEmpty else { return try clear(&recipe, text) }
    switch place {
    case .needed(let path): recipe[keyPath: path] = value
    case .text(let path):
      if name == "url" { try text.checkAddress() }
      if ["created", "modified"].contains(name) { try text.checkDate() }
      recipe[keyPath: path] = value
    case .number(let path):
      recipe[keyPath: path] = try name == "rating" ? text.number(upTo: 5) : text.servings()
    case .mark(let path): recipe[keyPath: path] = try text.truth()
    case .truth(let path): recipe[keyPath: path] = try text.truth()
    case .time(let path):
      // A number alone means minutes.
      let isNumber = Quantity(value) != nil
      if isNumber { _ = try text.number(upTo: Durations.limit) }
      recipe[keyPath: path] = RecipeTime(
        text: isNumber ? "\(value) min" : value,
        minutes: Durations.minutes(value, plainIsMinutes: true)
      )
    }
  }

  private func clear(_ recipe: inout Recipe, _ text: EditedText) throws(DecantError) {
    switch place {
    case .needed, .mark: throw text.invalid("it cannot be empty")
    case .text(let path): recipe[keyPath: path] = nil
    case .number(let path): recipe[keyPath: path] = nil
    case .truth(let path): recipe[keyPath: path] = nil
    case .time(let path): recipe[keyPath: path] = nil
    }
  }
}

extension Double {
  /// The number without a trailing zero fraction: `4`, `4.5`.
  fileprivate var inWords: String { Int64(exactly: self).map { "\($0)" } ?? "\(self)" }
}
