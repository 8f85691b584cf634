internal import DecantRecipeFormats

extension Recipe {
  /// The recipe in a form that text can hold: line ends are line feeds, and all unquoted fields are without characters
  /// that control a terminal or end a text for some readers.
  var withoutControls: Recipe {
    var recipe = self
    recipe.notes = notes?.withoutControls
    recipe.ingredients = ingredients.map { ingredient in
      var ingredient = ingredient
      ingredient.text = ingredient.text.withoutControls
      ingredient.unit = ingredient.unit?.withoutControls
      ingredient.name = ingredient.name?.withoutControls
      ingredient.note = ingredient.note?.withoutControls
      return ingredient
    }
    recipe.steps = steps.map { step in
      var step = step
      step.text = step.text.withoutControls
      step.title = step.title?.withoutControls
      return step
    }
    return recipe
  }
}

extension String {
  fileprivate var withoutControls: String {
    let isBad = unicodeScalars.contains {
      $0.value < 0x20 && $0 != "\n" && $0 != "\t" || $0.value == 0x7f
    }
    guard isBad else { return self }
    // Swift treats a line end of two characters as one character.
    let lines = split(omittingEmptySubsequences: false) { "\r\n".contains($0) || $0 == "\r\n" }
    return TextEncoding.clean(lines.joined(separator: "\n"))
  }
}

extension String {
  /// A title in the form used in messages: on one line, not too long, and harmless in a terminal.
  package var shownTitle: String {
    let plain = onOneLine.unicodeScalars.filter { $0.properties.generalCategory != .control }
    let text = String(String.UnicodeScalarView(plain))
    return text.count > 80 ? text.prefix(80) + "…" : text
  }
}
