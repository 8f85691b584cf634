extension String {
  /// The words of a name in lower case: `recipe_id`, `recipeId` and `RecipeID` have the same two.
  package var nameWords: [String] {
    var words: [String] = []
    var word = ""
    var wasSmall = false
    for character in self {
      guard character.isLetter || character.isNumber else {
        if !word.isEmpty { words.append(word) }
        (word, wasSmall) = ("", false)
        continue
      }
      if character.isUppercase, wasSmall {
        words.append(word)
        word = ""
      }
      word += character.lowercased()
      wasSmall = character.isLowercase || character.isNumber
    }
    return words + (word.isEmpty ? [] : [word])
  }

  /// The word in the singular, by the rules of English.
  package var singular: String {
    if let one = ["people": "person", "children": "child", "men": "man", "women": "woman"][self] {
      return one
    }
    if count > 4, hasSuffix("ies") { return dropLast(3) + "y" }
    // As in “classes”, “statuses” and “aliases”, but not in “responses”, “houses” and “caches”.
    let isHissing = ["sses", "uses", "iases", "xes", "zzes", "ches", "shes"].contains {
      hasSuffix($0)
    }
    let endsMute = ["ouses", "auses", "aches"].contains { hasSuffix($0) }
    if count > 4, isHissing, !endsMute { return String(dropLast(2)) }
    guard count > 3, hasSuffix("s"), !hasSuffix("ss"), !hasSuffix("us") else { return self }
    return String(dropLast())
  }
}
