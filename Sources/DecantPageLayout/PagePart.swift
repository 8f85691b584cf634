internal import DecantBase
internal import DecantRecipeFormats

/// A part of a recipe, as named by elements and headings of pages, in many languages.
enum PagePart: Hashable {
  case ingredients, steps
  /// Text that follows a recipe, or separates its parts.
  case other

  /// Determines the parts that a name such as `recipe-ingredientList` refers to.
  static func says(_ name: String) -> (ingredients: Bool, steps: Bool) {
    let folded = name.lowercased()
    let isNamed = ingredientMarks.contains(where: folded.holds) || stepMarks.contains(where: folded.holds)
    guard isNamed else { return (false, false) }
    let words = words(ofName: name)
    return (
      words.contains { word in ingredientMarks.contains(where: word.hasPrefix) },
      words.contains { word in stepMarks.contains(where: word.hasPrefix) && !falseMarks.contains(word) }
    )
  }

  /// The words of a name such as `recipe-ingredientList`.
  private static func words(ofName text: String) -> [String] {
    var words: [String] = []
    var word = ""
    var wasLower = false
    for character in text.unicodeScalars.prefix(1_000) {
      let isUpper = "A"..."Z" ~= character
      if !character.properties.isAlphabetic || isUpper && wasLower {
        if !word.isEmpty { words.append(word.lowercased()) }
        word = ""
      }
      if character.properties.isAlphabetic { word.unicodeScalars.append(character) }
      wasLower = !isUpper
    }
    if !word.isEmpty { words.append(word.lowercased()) }
    return words
  }

  private static let ingredientMarks = ["ingr", "zutat", "skladnik", "hozzavalo", "suroviny", "ersingredients"]

  private static let stepMarks = [
    "instruction", "direction", "method", "preparation", "preparo", "preparac", "preparaz", "zubereit", "anleitung",
    "bereiding", "step", "procedure", "postup", "elaboracion", "procediment", "tillag", "fremgang", "ersinstructions",
    "etape", "stap", "howto",
  ]
  private static let falseMarks: Set<String> = ["stepper", "methods", "staple", "directional"]

  /// Determines the part that a line announces: “Ingredients for 4 people:”.
  ///
  /// - Parameters:
  ///   - line: The text of the line.
  ///   - isHeading: Whether it is marked as a heading.
  init?(heading line: String, isHeading: Bool) {
    guard line.utf8.count <= 120 else { return nil }
    let folded = FoldedText.searchedText(line)
    let words = folded.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    guard let first = words.first, words.count <= 9 else { return nil }
    let text = words.joined(separator: " ")
    func begins(_ names: Set<String>) -> Bool {
      if names.contains(text) { return true }
      let counts = [1, 2, 3, 4].filter { $0 <= words.count }
      return counts.contains { names.contains(words.prefix($0).joined(separator: " ")) }
    }
    func ends(_ names: Set<String>) -> Bool { words.count <= 5 && names.contains(words[words.count - 1]) }
    func isWhole(_ names: Set<String>, ends: Set<String>) -> Bool {
      let name = words.prefix { !PageYield.prepositions.contains($0) }
      let rest = words.dropFirst(name.count)
      if name.count < words.count, !rest.contains(where: { $0.contains(where: \.isNumber) }) {
        return names.contains(text)
      }
      if names.contains(name.joined(separator: " ")) { return true }
      return isHeading && words.count <= 5
        && [1, 2].contains { ends.contains(words.suffix($0).joined(separator: " ")) }
    }
    let isMeasure = words.contains { Self.measures.contains($0) }
    if begins(Self.ingredientHeadings) || (isHeading && ends(Self.ingredientHeadings)), !isMeasure {
      // “Ingredients:” stands alone, or is followed by the number of servings.
      guard isHeading || words.count <= 1 || line.last == ":" || words.count <= 6 else { return nil }
      self = .ingredients
    } else if begins(Self.stepHeadings) || (isHeading && ends(Self.stepHeadings)), !isMeasure {
      let rest = words.count - (Self.stepHeadings.contains(first) ? 1 : 2)
      guard isHeading || rest <= 0 || line.last == ":" && words.count <= 5 else { return nil }
      self = .steps
    } else if isWhole(Self.wholeIngredientHeadings, ends: Self.ingredientEnds) {
      self = .ingredients
    } else if isWhole(Self.wholeStepHeadings, ends: Self.stepEnds) {
      self = .steps
    } else if begins(Self.otherHeadings), isHeading || words.count <= 3 {
      self = .other
    } else if isHeading, Self.areOthers(words) || Self.areComments(words) {
      self = .other
    } else {
      return nil
    }
  }

  /// Whether a heading is one of other recipes: “More pancake recipes”.
  private static func areOthers(_ words: [String]) -> Bool {
    words == ["more"]
      || ["more", "related", "other", "latest", "popular", "recent"].contains(words[0])
        && ["recipes", "posts", "articles"].contains(words[words.count - 1])
  }

  /// Whether a heading counts comments: “12 Comments”, “3 thoughts on …”.
  private static func areComments(_ words: [String]) -> Bool {
    guard words.count > 1, words[0].allSatisfy(\.isNumber) else { return false }
    return [
      "comment", "comments", "thoughts", "responses", "replies", "reviews", "ratings", "kommentare", "commentaires",
      "comentarios", "commenti", "reacties", "kommentarer", "komentarze",
    ].contains(words[1])
  }

  /// Whether a line is only the name of a list of ingredients or of steps, repeated within that list.
  static func isName(_ line: String, of part: PagePart) -> Bool {
    guard line.utf8.count <= 60, !line.utf8.contains(where: { 0x30...0x39 ~= $0 }) else { return false }
    let folded = FoldedText.searchedText(line)
    let text = folded.split { !$0.isLetter && !$0.isNumber }.joined(separator: " ")
    let (names, others) =
      part == .ingredients ? (ingredientHeadings, wholeIngredientHeadings) : (stepHeadings, wholeStepHeadings)
    return names.contains(text) || others.contains(text)
  }

  private static func set(_ texts: String) -> Set<String> { Set(PageWords.list(texts)) }

  /// Words that show that the line is about a time.
  private static let measures = set(
    "time,zeit,temps,tiempo,tempo,tijd,min,mins,minutes,minuten,minuti,minutos,hours,czas,tid,doba,substitutions,"
      + "substitutes,vorbereitungszeit,zubereitungszeit,bereidingstijd,video,notes,tips"
  )

  private static let ingredientHeadings = set(
    "ingredients,ingredient,the ingredients,ingredient list,list of ingredients,shopping list,what you need,"
      + "what you ll need,you will need,you ll need,zutaten,die zutaten,zutatenliste,das brauchst du,du brauchst,"
      + "ingrédients,les ingrédients,ingredientes,los ingredientes,ingredienti,gli ingredienti,ingrediënten,"
      + "dit heb je nodig,benodigdheden,wat heb je nodig,boodschappen,składniki,ingredienser,ingrediens,ingredience,ingrediencie,"
      + "suroviny,hozzávalók,υλικά,τα υλικά,malzemeler,ингредиенты,інгредієнти,продукты,съставки,продукти,材料,用料,"
      + "食材,原料,食材準備,재료,ainekset,ainesosat,raaka aineet,ingrediente,sastojci,sestavine,koostisosad,bahan,"
      + "bahan bahan,nguyên liệu,hráefni,המצרכים,מצרכים,מרכיבים,المكونات,المقادير,วัตถุดิบ,ส่วนผสม"
  )

  private static let stepHeadings = set(
    "instructions,instruction,directions,direction,method,preparation,steps,the steps,procedure,how to make,"
      + "how to make it,how to prepare,how to cook,cooking instructions,cooking directions,preparation steps,"
      + "preparation method,let s cook,recipe steps,step by step,step by step instructions,the method,"
      + "zubereitung,die zubereitung,anleitung,so geht s,so geht es,so wird s gemacht,zubereitungsschritte,préparation,"
      + "la préparation,étapes,les étapes,réalisation,la recette,recette,étapes de préparation,preparación,elaboración,"
      + "instrucciones,paso a paso,pasos,modo de preparo,modo de preparação,modo de fazer,preparo,preparação,"
      + "como fazer,preparazione,procedimento,la preparazione,bereiding,bereidingswijze,bereidingsstappen,"
      + "aan de slag,zo maak je het,werkwijze,instructies,hoe maak je,sposób przygotowania,przygotowanie,wykonanie,"
      + "przepis,tillagning,gör så här,tillvägagångssätt,instruktioner,fremgangsmåde,sådan gør du,framgangsmåte,"
      + "slik gjør du,slik gjør du det,fremgangsmåte,postup,postup přípravy,príprava,elkészítés,az elkészítés,"
      + "εκτέλεση,οδηγίες,"
      + "hazırlanışı,yapılışı,приготовление,способ приготовления,приготування,начин на приготвяне,作り方,做法,步骤,"
      + "步驟,作法,制作步骤,手順,만드는 법,조리순서,valmistus,ohje,ohjeet,mod de preparare,priprema,postopek,"
      + "cara membuat,cách làm,aðferð,אופן ההכנה,הוראות הכנה,طريقة التحضير,طريقة العمل,วิธีทำ"
  )

  /// Headings of ingredients that also begin sentences, so that nothing but the number of servings may follow.
  private static let wholeIngredientHeadings = set(
    "ingredients list,ingredients needed,ingredients you ll need,what you will need,das brauchen sie,ihr braucht,"
      + "das braucht ihr,man nehme,il vous faut,ce qu il vous faut,qué necesitas,você vai precisar,occorrente,cosa serve,"
      + "potrzebne będą,du behöver,det här behöver du,du skal bruge,det skal du bruge,du trenger,dette trenger du,tarvitset,"
      + "co budete potřebovat,co potřebujeme,přísady,alapanyagok,amire szükséged lesz,amire szükségünk lesz,用意するもの,"
      + "सामग्री,مواد لازم,المكوّنات"
  )

  private static let wholeStepHeadings = set(
    "let s make it,what to do,making it,so wird es gemacht,und so geht s,schritt für schritt,arbeitsschritte,"
      + "étape par étape,marche à suivre,cómo hacer,cómo se hace,cómo preparar,como preparar,modo de preparar,come fare,"
      + "come si prepara,come si fa,zo ga je te werk,dit doe je,klaarmaken,jak zrobić,sposób wykonania,så här gör du,"
      + "så gör du,sådan laver du,slik lager du,näin teet,valmistusohje,valmistusohjeet,jak na to,návod,postup přípravy,"
      + "így készítsd el,így készül,elkészítése,hazırlanması,как приготовить,спосіб приготування,つくり方,만드는법,"
      + "조리 방법,烹饪步骤,製作步驟,विधि,طرز تهیه,الطريقة,các bước,cara memasak"
  )

  /// The ends of Turkish headings, which begin with the name of the dish.
  private static let ingredientEnds = set("malzemeleri")
  private static let stepEnds = set("nasıl yapılır,yapılışı,hazırlanışı")

  private static let otherHeadings = set(
    PageWords.following
      + ",notes,note,recipe notes,nutritional value,nutrition per serving,nutritional info,shop this recipe,"
      + "shop the recipe,cook s notes,chef s notes,about me,follow us,popular posts,recent posts,"
      + "join the conversation,you will also need,you ll also need,special equipment,rate and review,"
      + "ratings and reviews,tips,tip,tipps,tipp,nutrition,nährwerte,comments,comment,kommentare,commentaires,"
      + "reviews,related recipes,related,more recipes,similar recipes,equipment,video,share,print,rate this recipe,"
      + "storage,faq,faqs,frequently asked questions,allergens,conseils,astuces,voedingswaarden,reacties,"
      + "wartości odżywcze,dicas,commenti,comentarios,comentários,category,categories,tags,keywords,utensils,"
      + "ustensiles,serving suggestions,about the author,subscribe,newsletter,reader interactions,per serving,"
      + "opskrifter,source,sources,references"
  )
}

/// The parts that names in the attributes of elements refer to, each determined once.
struct PagePartNames {
  private var known: [String: (ingredients: Bool, steps: Bool)] = [:]
  private var unseen: [String: Bool] = [:]
  private var roles: [String: PageRole] = [:]

  /// Returns the function of an element in its page, judging by its attributes.
  mutating func role(of element: MarkupElement) -> PageRole {
    let role = PageRole(attributes: element)
    guard let classes = element.attributes["class"], classes.utf8.count <= Self.length else { return role }
    let said = roles[classes] ?? PageRole(classes: classes)
    if roles.count < 10_000 { roles[classes] = said }
    return role.union(said)
  }

  /// Whether an element is hidden or meant for screen readers.
  mutating func isUnseen(_ element: MarkupElement) -> Bool {
    // Some forms have hidden fields as traps for robots.
    if element.name == "label", let style = element.attributes["style"],
      style.holds("display:none") || style.holds("display: none")
    {
      return true
    }
    guard let classes = element.attributes["class"], classes.utf8.count <= Self.length else { return false }
    if let known = unseen[classes] { return known }
    let isUnseen = Self.unseenNames.contains(where: classes.holds)
    if unseen.count < 10_000 { unseen[classes] = isUnseen }
    return isUnseen
  }

  /// Returns the part that the class, the `id` and similar attributes name; `nil` for none, and for both.
  mutating func part(of element: MarkupElement) -> PagePart? {
    var (isIngredients, isSteps) = (false, false)
    for name in Self.attributes {
      guard let whole = element.attributes[name], !whole.isEmpty else { continue }
      let text = whole.utf8.count > Self.length ? String(whole.prefix(Self.length)) : whole
      let says = known[text] ?? PagePart.says(text)
      if known.count < 10_000 { known[text] = says }
      isIngredients = isIngredients || says.ingredients
      isSteps = isSteps || says.steps
    }
    return isIngredients == isSteps ? nil : isIngredients ? .ingredients : .steps
  }

  private static let unseenNames = ["sr-only", "screen-reader", "visually-hidden", "visuallyhidden", "tooltip"]

  /// The maximum length of the names that are examined.
  static let length = 500

  private static let attributes = ["class", "id", "itemprop", "data-testid", "data-test", "data-element", "data-qa"]
}
