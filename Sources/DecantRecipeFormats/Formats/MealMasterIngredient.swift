internal import DecantBase

/// An ingredient of a Meal-Master recipe: an amount in columns 0 to 6, a unit of two letters in 8 and 9, a name from
/// column 11 on.
package struct MealMasterIngredient {
  var amount: String
  var unit: String
  var name: String
  /// Whether the line begins with `:`, as lines without an amount do in lists that are shifted to the right.
  private var isMarked = false
  /// The last line of a name that spans several lines.
  private var lastLine: String?

  /// The width of the name column, in characters.
  private static let nameWidth = 28

  package init(amount: String, unit: String, name: String) {
    (self.amount, self.unit, self.name) = (amount, unit, name)
  }

  /// Reads a line in these columns, all of them `shift` to the right; `nil` for any other line.
  package init?(line: String, shift: Int = 0) {
    let whole = ColumnText(line)
    guard whole.isBlank(0..<shift) else { return nil }
    let text = shift == 0 ? whole : ColumnText(whole.rest(from: shift))
    guard text.count > 11, text.isBlank(7), text.isBlank(10) else { return nil }
    amount = text.field(0..<7)
    unit = text.field(8..<10)
    name = text.field(11..<text.count)
    if amount == ":", unit.isEmpty, shift > 0 { (amount, isMarked) = ("", true) }
    guard isMarked || !text.isBlank(11) else { return nil }
    guard amount.isEmpty || Quantity(amount) != nil else { return nil }
    guard unit.isEmpty || Self.units.contains(unit.lowercased()) else { return nil }
  }

  /// Reads both ingredients of a two-column line, the second from column 41 on; `nil` where there is only one.
  static func columns(of line: String, shift: Int = 0) -> (MealMasterIngredient, MealMasterIngredient)? {
    let whole = ColumnText(line)
    guard whole.isBlank(0..<shift) else { return nil }
    let text = ColumnText(whole.rest(from: shift))
    guard text.isBlank(39..<41), let first = MealMasterIngredient(line: text.head(to: 41)),
      let second = MealMasterIngredient(line: text.rest(from: 41))
    else { return nil }
    return (first, second)
  }

  /// Adds the ingredient to `list`, or to the last one there if it continues that: “-softened”.
  func add(to list: inout [MealMasterIngredient]) {
    guard amount.isEmpty, unit.isEmpty, let last = list.indices.last else {
      return list.append(self)
    }
    if name.first == "-" {
      list[last].name += " " + name.dropFirst().trimmed
    } else if isMarked, list[last].isFull(before: name) {
      list[last].name += " " + name
      list[last].lastLine = name
    } else {
      list.append(self)
    }
  }

  /// Whether the first word of `text` did not fit in the name column, so that the name continues with it.
  private func isFull(before text: String) -> Bool {
    let word = text.prefix { $0 != " " }
    if (lastLine ?? name).hasSuffix(")") { return false }
    return (lastLine ?? name).count + 1 + word.count > Self.nameWidth
  }

  /// The ingredient in the common model; its text joins the columns with spaces.
  package var ingredient: RecipeIngredient {
    let text = [amount, unit, name].filter { !$0.isEmpty }.joined(separator: " ").trimmed
    if isMarked, name.hasSuffix(":"), name.count > 1 {
      return RecipeIngredient(name.dropLast().trimmed, isHeading: true)
    }
    // Many programs write units as part of the name: “c. brown sugar”.
    if unit.isEmpty {
      let ingredient = RecipeIngredient(line: text)
      if amount.isEmpty || ingredient.amount == Quantity(amount)?.from { return ingredient }
    }
    var ingredient = RecipeIngredient(text)
    let quantity = Quantity(amount)
    ingredient.amount = quantity?.from
    ingredient.amountTo = quantity?.to
    ingredient.unit = unit.isEmpty ? nil : unit
    // “Cheese, monterey jack” is one name; notes follow after a semicolon.
    let parts = name.split(separator: ";", maxSplits: 1)
    ingredient.name = parts.first?.trimmed ?? name
    ingredient.note = parts.count == 2 ? parts[1].trimmed : nil
    return ingredient
  }

  /// The units that the program knows; case matters, as “t” and “T” differ.
  package static let units: Set<String> = [
    "x", "sm", "md", "lg", "cn", "pk", "pn", "dr", "ds", "ct", "bn", "sl", "ea", "t", "ts", "tb",
    "fl",
    "c", "pt", "qt", "ga", "oz", "lb", "ml", "cb", "cl", "dl", "l", "mg", "cg", "dg", "g", "kg",
  ]
}
