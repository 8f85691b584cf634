internal import DecantBase

/// The ingredients of a Meal-Master recipe, line by line.
///
/// Most lists begin at the left edge. Some programs shifted all lines to the right by the same number of columns, and
/// wrote `:` before lines that have no amount.
struct MealMasterList {
  /// The number of columns by which the list is shifted to the right.
  private let shift: Int
  private var left: [MealMasterIngredient] = []
  private var right: [MealMasterIngredient] = []

  /// The shifts that occur in practice.
  private static let shifts = 1...4

  init(shift: Int) { self.shift = shift }

  /// The ingredients read so far: of two columns, the left one first.
  var ingredients: [RecipeIngredient] { (left + right).map(\.ingredient) }

  /// Whether a line may be the first line of a list.
  static func mayBegin(_ line: String) -> Bool {
    (0...shifts.upperBound).contains { MealMasterIngredient(line: line, shift: $0) != nil }
  }

  /// Returns the shift of the list that begins here; `nil` where none does.
  ///
  /// If nothing was read before, any line in its columns begins a list; after prose, and where the list is shifted,
  /// only a paragraph does whose lines all fit the columns and that has an amount.
  static func shift(of lines: ArraySlice<String>, behind prose: [String] = []) -> Int? {
    guard let first = lines.first, prose.last?.trimmed.isEmpty ?? true else { return nil }
    if MealMasterIngredient(line: first) != nil {
      let isFirst = prose.allSatisfy { $0.trimmed.isEmpty }
      return isFirst || isBlock(lines, shift: 0) ? 0 : nil
    }
    return (0...shifts.upperBound).first { read(first, $0) != nil && isBlock(lines, shift: $0) }
  }

  /// Whether all lines up to a blank one or a heading are ingredients, at least one of them with an amount, or the
  /// first few have an amount each.
  private static func isBlock(_ lines: ArraySlice<String>, shift: Int) -> Bool {
    var (count, amountCount) = (0, 0)
    for line in lines {
      if line.trimmed.isEmpty || MealMasterFormat.heading(line) != nil { break }
      guard let ingredient = read(line, shift) else { return false }
      count += 1
      if !ingredient.amount.isEmpty { amountCount += 1 }
      if count == amountCount, count == Self.sureCount { return true }
    }
    return amountCount > 0
  }

  /// This many consecutive lines with an amount cannot be prose.
  private static let sureCount = 4

  /// Reads a line; one with a tab may be shifted differently from those around it.
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

  /// Takes the lines of ingredients up to a heading or a line that is not an ingredient.
  mutating func take(from lines: inout ArraySlice<String>) {
    while let line = lines.first, MealMasterFormat.heading(line) == nil {
      if line.trimmed.isEmpty {
        // Some programs write blank lines between ingredients; after the last one, prose follows.
        let behind = lines.drop { $0.trimmed.isEmpty }
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
