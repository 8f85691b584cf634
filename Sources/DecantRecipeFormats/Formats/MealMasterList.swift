/// The ingredients of a Meal-Master recipe, line by line.
///
/// Most lists begin at the left edge. Some programs have moved theirs to the right, all lines by the same columns,
/// and written `:` in front of lines that have no amount.
struct MealMasterList {
  /// How many columns the list stands to the right of where it should.
  private let shift: Int
  private var left: [MealMasterIngredient] = []
  private var right: [MealMasterIngredient] = []

  /// How far to the right lists were found.
  private static let shifts = 1...4

  init(shift: Int) { self.shift = shift }

  /// What was taken: of two columns the left one first.
  var ingredients: [RecipeIngredient] { (left + right).map(\.ingredient) }

  /// Whether a line may be the first of a list.
  static func mayBegin(_ line: String) -> Bool {
    (0...shifts.upperBound).contains { MealMasterIngredient(line: line, shift: $0) != nil }
  }

  /// How far to the right a list stands that begins here; `nil` where none does.
  ///
  /// It begins with whatever is set in its columns if nothing was read before; behind prose, and where it stands
  /// to the right, only with a paragraph that is all columns and has an amount.
  static func shift(of lines: ArraySlice<String>, behind prose: [String] = []) -> Int? {
    guard let first = lines.first, prose.last?.trimmingBlanks.isEmpty ?? true else { return nil }
    if MealMasterIngredient(line: first) != nil {
      let isFirst = prose.allSatisfy { $0.trimmingBlanks.isEmpty }
      return isFirst || isBlock(lines, shift: 0) ? 0 : nil
    }
    return (0...shifts.upperBound).first { read(first, $0) != nil && isBlock(lines, shift: $0) }
  }

  /// Whether all lines up to a blank one or a heading are ingredients, one with an amount among them, or the first
  /// few with an amount each.
  private static func isBlock(_ lines: ArraySlice<String>, shift: Int) -> Bool {
    var (count, amountCount) = (0, 0)
    for line in lines {
      if line.trimmingBlanks.isEmpty || MealMasterFormat.heading(line) != nil { break }
      guard let ingredient = read(line, shift) else { return false }
      count += 1
      if !ingredient.amount.isEmpty { amountCount += 1 }
      if count == amountCount, count == Self.sureCount { return true }
    }
    return amountCount > 0
  }

  /// So many lines with an amount, one after the other, are no prose.
  private static let sureCount = 4

  /// Reads a line; one with a tab may stand elsewhere than those around it.
  private static func read(_ line: String, _ shift: Int) -> MealMasterIngredient? {
    if let ingredient = MealMasterIngredient(line: line, shift: shift) { return ingredient }
    guard line.contains("\t") else { return nil }
    for shift in 0...shifts.upperBound {
      if let ingredient = MealMasterIngredient(line: line, shift: shift),
        !ingredient.amount.isEmpty
      {
        return ingredient
      }
    }
    return nil
  }

  /// Takes the lines of ingredients up to a heading or one that is none.
  mutating func take(from lines: inout ArraySlice<String>) {
    while let line = lines.first, MealMasterFormat.heading(line) == nil {
      if line.trimmingBlanks.isEmpty {
        // Some programs write blank lines between ingredients; behind the last prose follows.
        let behind = lines.drop { $0.trimmingBlanks.isEmpty }
        guard let next = behind.first, MealMasterFormat.heading(next) == nil,
          Self.read(next, shift)?.amount.isEmpty == false
        else { break }
        lines = behind
        continue
      }
      guard let ingredient = Self.read(line, shift) else { break }
      lines = lines.dropFirst()
      if let (first, second) = MealMasterIngredient.columns(of: line, shift: shift) {
        first.add(to: &left)
        second.add(to: &right)
      } else {
        ingredient.add(to: &left)
      }
    }
  }
}
