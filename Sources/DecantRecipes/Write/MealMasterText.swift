internal import DecantBase
internal import DecantRecipeFormats
internal import DecantJSON

/// Writes recipes in the Meal-Master format.
enum MealMasterText {
  /// Writes a recipe, and reads it back.
  ///
  /// - Parameters:
  ///   - recipe: Any recipe.
  ///   - reader: Reads it back.
  /// - Returns: The text in UTF-8, and the recipe read back from it.
  /// - Throws: `RecipeFault` if the text is not a Meal-Master recipe.
  static func write(_ recipe: Recipe, _ reader: WrittenRecipes) throws -> (text: String, written: WrittenRecipe) {
    let text = text(recipe)
    let recipes = try reader.recipes(in: text, as: MealMasterFormat.self, entry: "recipes.mmf")
    guard recipes.count == 1 else {
      throw RecipeFault("a line in it would end the recipe or start another one")
    }
    var losses = RecipeLosses.between(recipe, recipes[0])
    // decant reads the whole title back, but the program itself does not show it.
    if recipe.title.count > titleLimit, !losses.contains("title") {
      losses.append(RecipeLossNotes.longTitles)
    }
    return (text, WrittenRecipe(losses: losses, recipe: recipes[0], pictureCount: 0))
  }

  /// The number of characters of a title that the program shows.
  private static let titleLimit = 60

  /// Returns the text of a recipe.
  static func text(_ recipe: Recipe) -> String {
    TextEncoding.clean(lines(of: recipe.withoutControls).joined(separator: "\n")) + "\n"
  }

  private static func lines(of recipe: Recipe) -> [String] {
    var lines = ["MMMMM----- Recipe via Meal-Master (tm) v8.05", ""]
    lines.append("      Title: \(recipe.title.singleLine)")
    lines.append(" Categories: \(recipe.categories.map(\.singleLine).joined(separator: ", "))")
    let servings = recipe.servings.map { "\(AmountText.text($0)) servings" }
    lines.append("      Yield: \((recipe.yield ?? servings ?? "").singleLine)")
    lines.append("")
    for (ingredient, previous) in zip(recipe.ingredients, [nil] + recipe.ingredients.map(Optional.init)) {
      lines += self.lines(of: ingredient, behind: previous)
    }
    if !recipe.ingredients.isEmpty { lines.append("") }
    // A value that the reader would take for two fields is left out, and reported as a loss.
    let fields = MealMasterField.lines(of: recipe).filter { line in
      !line.contains(where: \.isNewline) && MealMasterField(line: line) != nil
    }
    if !fields.isEmpty { lines += fields.map { "  " + $0 } + [""] }
    var isFirst = fields.isEmpty
    for step in recipe.steps {
      let text = RecipeLosses.text(step)
      if step.isHeading {
        lines += [heading(text), ""]
      } else {
        lines += paragraph(text, isFirst: isFirst) + [""]
      }
      isFirst = false
    }
    return lines + ["MMMMM"]
  }

  private static func heading(_ title: String) -> String {
    let title = title.singleLine
    let room = max(10, 64 - title.count)
    return "MMMMM" + String(repeating: "-", count: room / 2) + title
      + String(repeating: "-", count: room - room / 2)
  }

  // MARK: Ingredients

  /// Returns the columns of an ingredient, continued on further lines as necessary.
  private static func lines(of ingredient: RecipeIngredient, behind previous: RecipeIngredient?) -> [String] {
    if ingredient.isHeading { return [heading(ingredient.text)] }
    var (amount, unit, name) = columns(of: ingredient, ownUnit: true)
    let read = MealMasterIngredient(amount: amount, unit: unit, name: name).ingredient
    if read.name != ingredient.name || read.note != ingredient.note {
      (amount, unit, name) = columns(of: ingredient, ownUnit: false)
    }
    let columns = padded(amount, 7, atEnd: false) + " " + padded(unit, 2, atEnd: true) + " "
    // A hyphen at the beginning would make it a continuation of the previous ingredient.
    if previous?.isHeading == false, amount.isEmpty, unit.isEmpty, name.first == "-" { name = "–" + name.dropFirst() }
    let parts = wrapped(name, width: 28) { _ in true }
    return parts.enumerated().map { number, part in
      number == 0 ? columns + part : String(repeating: " ", count: 11) + "-" + part
    }
  }

  /// Returns amount, unit and name; an unknown or unwanted unit becomes part of the name.
  private static func columns(of ingredient: RecipeIngredient, ownUnit: Bool)
    -> (amount: String, unit: String, name: String)
  {
    var name = ingredient.text.singleLine.trimmed[...]
    var amount = ""
    if let rest = behindAmount(of: ingredient, in: name) {
      let digits = name[..<rest.startIndex].trimmed
      if digits.count <= 7 {
        amount = digits
        // A name that begins with a space would not be in its column.
        name = rest.drop(while: \.isWhitespace)
      }
    }
    let word = name.prefix { $0 != " " }
    guard ownUnit, let unit = ingredient.unit, unit == word, word.count < name.count,
      MealMasterIngredient.units.contains(unit.lowercased())
    else { return (amount, "", String(name)) }
    return (amount, unit, String(name.dropFirst(word.count).drop(while: \.isWhitespace)))
  }

  /// Returns the text after the amount of an ingredient in its line; `nil` if the line does not begin with one.
  ///
  /// “1 1/2 inch piece” may be one piece, in which case only the first word is the amount.
  private static func behindAmount(of ingredient: RecipeIngredient, in line: Substring) -> Substring? {
    var rest = line
    guard let quantity = Quantity(reading: &rest), rest.first == " " else { return nil }
    guard let amount = ingredient.amount, (quantity.from, quantity.to) != (amount, ingredient.amountTo) else {
      return rest
    }
    let word = line.prefix { $0 != " " }
    var first = word
    guard let only = Quantity(reading: &first), first.isEmpty, only.from == amount, only.to == ingredient.amountTo
    else { return rest }
    return line[word.endIndex...]
  }

  private static func padded(_ text: String, _ width: Int, atEnd: Bool) -> String {
    let blanks = String(repeating: " ", count: max(0, width - text.count))
    return atEnd ? text + blanks : blanks + text
  }

  // MARK: Steps

  /// Returns the lines of a step; a colon begins each line that must not be joined with the previous one or be
  /// misinterpreted.
  private static func paragraph(_ text: String, isFirst: Bool) -> [String] {
    var lines: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let isForced = !lines.isEmpty || line.isEmpty || line.first == ":"
      let parts = wrapped(String(line), width: 72) { next in
        Paragraphs.unwrapped(["x", next]) == ["x \(next)"]
          && MealMasterIngredient(line: "  \(next)") == nil
      }
      for (number, part) in parts.enumerated() {
        let isTaken =
          MealMasterIngredient(line: "  \(part)") != nil
          || isFirst && number == 0 && MealMasterField(line: part) != nil
        lines.append("  " + (number == 0 && isForced || isTaken ? ":" : "") + part)
      }
    }
    return lines
  }

  /// Splits a line at single spaces into parts of at most `width` characters, if the next one may begin with the text
  /// that follows.
  private static func wrapped(_ text: String, width: Int, canBegin: (String) -> Bool) -> [String] {
    var parts: [String] = []
    var part = ""
    var count = 0
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    for (number, word) in words.enumerated() {
      let isBetween = number > 0 && !words[number - 1].isEmpty && !word.isEmpty && !part.isEmpty
      if isBetween, count + 1 + word.count > width,
        canBegin(words[number...].prefix(3).joined(separator: " "))
      {
        parts.append(part)
        part = String(word)
        count = word.count
      } else {
        part += number == 0 ? String(word) : " \(word)"
        count += word.count + (number == 0 ? 0 : 1)
      }
    }
    return parts + [part]
  }
}

extension String {
  /// The text with a space for each line end.
  fileprivate var singleLine: String {
    contains(where: \.isNewline) ? String(map { $0.isNewline ? " " : $0 }) : self
  }
}
