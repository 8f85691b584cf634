internal import DecantBase
internal import DecantRecipeFormats

/// Words of pages that do not belong to recipes.
enum PageWords {
  /// The words for a step that precede its number.
  static let steps: Set<String> = [
    "step", "schritt", "stap", "étape", "etape", "paso", "passo", "passaggio", "krok", "steg", "trin", "steps", "fase",
    "lépés", "βήμα", "шаг", "krok", "pas", "步骤", "步驟", "langkah", "bước", "vaihe", "korak", "adım", "skref",
  ]

  /// Whether a line belongs to a control: to choose units or the number of servings, or to buy and print.
  static func isControl(_ text: String) -> Bool {
    guard text.utf8.count <= 240 else { return false }
    let letters = FoldedText.searchedText(text).filter { $0 != ":" }
    if letters.utf8.count > 60 { return false }
    // “2 pieces” is an amount.
    if PageYield.isAlone(text), Servings.number(in: text) != nil { return true }
    if letters.hasPrefix("calories") || letters.hasPrefix("kcal") { return true }
    if letters.utf8.count < 40, networks.contains(where: letters.contains) { return true }
    if controls.contains(letters) || isScale(letters) || isAdvertisement(text) { return true }
    // Buttons stand side by side: “Units Scale”, “US Customary - Metric”.
    guard letters.utf8.count <= 40, !letters.utf8.contains(where: { 0x30...0x39 ~= $0 }) else { return false }
    let words = letters.split { !$0.isLetter }
    return !words.isEmpty && words.allSatisfy { buttons.contains(String($0)) }
  }

  /// Whether a line is what pages show below a recipe: comments, nutrients, links to other pages.
  static func endsRecipe(_ text: String) -> Bool { begins(text, endings) }

  /// Whether a line is what pages show between the lines of a recipe: whose picture it is, buttons, notices.
  static func isBeside(_ text: String) -> Bool { begins(text, notices) }

  private static func begins(_ text: String, _ words: [String]) -> Bool {
    guard text.utf8.count <= 240 else { return false }
    let folded = FoldedText.searchedText(text)
    return words.contains(where: folded.hasPrefix)
  }

  /// Returns the texts of a list with commas, in the form for searching.
  static func list(_ texts: String) -> [String] {
    texts.split(separator: ",").map { FoldedText.searchedText($0.trimmed) }
  }

  /// What pages show below a recipe: headings, or the beginnings of lines.
  static let following =
    "did you make this recipe,leave a comment,leave a reply,you may also like,you might also like,nutrition facts,"
    + "nutritional information,nutrition information,nutritional values,valeurs nutritionnelles,información nutricional"

  private static let endings = list(
    following + ",have you made this recipe,tag @,posted in,posted by,posted on,filed under,tagged with,tagged:,"
      + "categories:,category:,tags:,recipe adapted from,« previous,all rights reserved,related posts,nutrition per,"
      + "näringsvärde,nährwerte pro,informação nutricional,voedingswaarde,article précédent,artículo anterior,kategorie:,"
      + "kategorien:,schlagworte:,hast du dieses rezept"
  )

  private static let notices = list(
    "photo credit,photo by,photos by,photography by,image credit,copyright ©,© ,this post may contain affiliate,"
      + "this post contains affiliate,share this recipe,share this post,pin this recipe,pin it for later,we use cookies,"
      + "this site uses cookies,this website uses cookies,subscribe to,sign up for our,sign up for my,sign up for the,"
      + "follow me on,follow us on,print this recipe"
  )

  /// Whether a line is a nutrient with its amount: “fat12.5g”.
  static func isNutrient(_ text: String) -> Bool {
    guard text.utf8.count <= 30, text.utf8.contains(where: { 0x30...0x39 ~= $0 }) else { return false }
    let folded = FoldedText.searchedText(text)
    guard let name = nutrients.first(where: folded.hasPrefix) else { return false }
    let rest = folded.dropFirst(name.count).drop { $0 == " " || $0 == ":" }
    let unit = rest.drop { $0.isNumber || $0 == "." || $0 == "," }
    return unit.startIndex > rest.startIndex && ["", "g", "mg"].contains(unit.trimmed)
  }

  /// Whether a line offers to multiply a recipe: “Scale 1x 2x 3x”.
  private static func isScale(_ text: String) -> Bool {
    let factors = text.hasPrefix("scale ") ? text.dropFirst(6) : text[...]
    return factors.first?.isNumber == true && factors.last == "x"
      && factors.allSatisfy { $0.isNumber || $0 == "x" || $0.isWhitespace }
  }

  /// The beginnings of names of groups.
  static let groups = [
    "For the ", "For ", "Für den ", "Für die ", "Für das ", "Pour la ", "Pour le ", "Pour les ", "Pour l", "Para el ",
    "Para la ",
    "Per la ", "Per il ", "Per l", "Voor de ", "Voor het ", "Till ", "Til ",
  ]

  private static let nutrients = [
    "kcal", "fat", "saturates", "carbs", "sugars", "fibre", "fiber", "protein", "salt",
  ]

  private static let networks = ["facebook", "twitter", "pinterest", "whatsapp", "instagram"]

  /// Texts that are not part of a recipe if they are a line of their own.
  private static let controls = Set(
    list(
      "cook mode,add to shopping list,buy now,servings,prevent your screen from going dark,keep screen awake,"
        + "keep your screen awake,keep screen on,cook mode prevent your screen from going dark,mark as complete,hide images,"
        + "show images,hide photos,show photos,hide media,show media,deselect all,select all,amount ingredient,"
        + "amount ingredients,ingredient amount,quantity ingredient,ingredient quantity,menge zutat,menge zutaten,"
        + "zutat menge,quantité ingrédient,cantidad ingrediente"
    ))

  /// Whether a line only says that an advertisement stands there.
  static func isAdvertisement(_ text: String) -> Bool {
    guard text.utf8.count <= 60 else { return false }
    return advertisements.contains(FoldedText.searchedText(text.trimmed))
  }

  private static let advertisements = Set(
    list(
      "advertisement,advertisment,ad,ads,anzeige,werbung,publicité,publicidad,pubblicità,advertentie,reklama,annonse,annons,"
        + "reklame,advertisement - continue reading below,article continues below advertisement,continue reading below,"
        + "article continues below,sponsored"
    ))

  /// Words on buttons, alone or side by side.
  private static let buttons: Set<String> = [
    "metric", "us", "customary", "imperial", "units", "cups", "grams", "print", "save", "scale", "share", "copy",
  ]
}
