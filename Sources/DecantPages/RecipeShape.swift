internal import DecantBase

/// The roles of an entity's properties in a recipe.
///
/// An entity resembles a recipe if it has a title, and either edges to ingredients, or the name of a recipe and
/// ingredients or steps in an attribute or behind an edge. This is judged by names alone, in a few languages.
struct RecipeShape {
  /// The edges to ingredients and steps, by their indices among the entity's.
  private(set) var ingredients: Int?
  private(set) var steps: Int?
  /// Attributes that hold them as lines of text.
  private(set) var ingredientText: Int?
  private(set) var stepText: Int?
  /// Attributes for times, each with the unit that its name states.
  private(set) var times: [Time] = []
  /// Attributes for the yield; those in words first.
  private(set) var yields: [Int] = []
  private(set) var author: Int?
  private(set) var created: Int?
  private(set) var source: Int?
  private(set) var cuisine: Int?
  /// Attributes and edges for the recipe's categories.
  private(set) var categories: [Int] = []
  private(set) var keywords: [Int] = []
  /// Edges to the site, the book or the person that it comes from.
  private(set) var origins: [Int] = []
  private(set) var categoryText: Int?
  private(set) var keywordText: Int?

  /// An attribute that holds a time.
  struct Time {
    /// The kind of time, by its schema.org name.
    let kind: String
    let column: Int
  }

  /// Recognizes a recipe in `shape`; `nil` for anything else.
  init?(_ shape: PageShape) {
    guard shape.title != nil else { return nil }
    ingredients = shape.edges.firstIndex { $0.isToMany && $0.isFor(RecipeWords.ingredients) }
    steps = shape.edges.firstIndex { $0.isToMany && $0.isFor(RecipeWords.steps) }
    for (column, name) in shape.names.sorted(by: { $0.key < $1.key })
    where column != shape.title && shape.types[column] == .string {
      if ingredientText == nil, name.has(RecipeWords.ingredients) { ingredientText = column }
      if stepText == nil, name.has(RecipeWords.steps) { stepText = column }
    }
    if ingredients != nil { ingredientText = nil }
    if steps != nil { stepText = nil }
    let isNamed = PageName(shape.entity).has(RecipeWords.recipes)
    let hasParts = [ingredients, steps, ingredientText, stepText].contains { $0 != nil }
    guard ingredients != nil || (isNamed && hasParts) else { return nil }
    findValues(in: shape)
  }

  private mutating func findValues(in shape: PageShape) {
    for (column, name) in shape.names.sorted(by: { $0.key < $1.key }) where column != shape.title {
      let type = shape.types[column]
      let isTime = name.has(RecipeWords.times)
      if isTime, name.has(RecipeWords.preparing) {
        times.append(Time(kind: "prepTime", column: column))
      } else if isTime, name.has(RecipeWords.cooking) {
        times.append(Time(kind: "cookTime", column: column))
      } else if isTime, name.has(["total", "ready", "gesamt"]) {
        times.append(Time(kind: "totalTime", column: column))
      } else if name.has(RecipeWords.yields), type != .date {
        yields.append(column)
      } else if author == nil, name.isOne(of: ["author", "autor", "auteur", "autore", "chef"]) {
        author = column
      } else if source == nil, type == .uri || name.has(["url", "link", "website"]) {
        source = column
      } else if cuisine == nil, name.isOne(of: ["cuisine", "küche", "cocina", "cucina"]) {
        cuisine = column
      } else if categoryText == nil, type == .string, name.has(RecipeWords.categories) {
        categoryText = column
      } else if keywordText == nil, type == .string, name.has(RecipeWords.keywords) {
        keywordText = column
      }
      if created == nil, type == .date,
        name.words.first.map(["created", "creation", "added", "published"].contains) == true
      {
        created = column
      }
    }
    yields.sort { (shape.types[$0] == .string ? 0 : 1, $0) < (shape.types[$1] == .string ? 0 : 1, $1) }
    times.sort { RecipeShape.order($0.kind) < RecipeShape.order($1.kind) }
    for (place, edge) in shape.edges.enumerated() where !edge.isOwning {
      if edge.name.has(RecipeWords.categories) || edge.name.isOne(of: ["type", "recipetype"]) {
        categories.append(place)
      }
      if edge.name.has(RecipeWords.keywords) { keywords.append(place) }
      if !edge.isToMany, edge.name.isOne(of: ["source", "sourceid", "book", "quelle"]) { origins.append(place) }
    }
  }

  private static func order(_ kind: String) -> Int {
    ["prepTime", "cookTime", "totalTime"].firstIndex(of: kind) ?? 3
  }

  /// The columns that are shown in special places.
  var placed: Set<Int> {
    Set(times.map(\.column) + yields + [ingredientText, stepText, author, source].compactMap(\.self))
  }
}

extension RecipeShape {
  /// Returns the label of the recipe's categories: the name of the edge, unless that is only the name of a table.
  func label(of edge: PageEdge, at place: Int, count: Int) -> String {
    guard edge.name.words.count > 1 else { return edge.label }
    if categories.contains(place) { return count == 1 ? "Category" : "Categories" }
    return count == 1 ? "Tag" : "Tags"
  }
}

/// The roles of an ingredient's properties: the columns and the edges for amount, unit, food and note.
struct IngredientShape {
  /// The line as written, if it is stored in addition to its parts.
  let line: Int?
  let amount: Int?
  let unit: Int?
  let note: Int?
  /// Edges to objects for values that other stores hold in columns.
  let unitEdge: Int?
  let foodEdge: Int?

  /// Interprets the objects of `shape` as ingredients.
  init(_ shape: PageShape) {
    line = shape.column(["text", "line", "originaltext", "display"], [.string])
    amount = shape.column([
      "amount", "quantity", "qty", "menge", "anzahl", "quantité", "quantite", "cantidad",
      "quantità",
      "quantita", "mengde", "mängd", "hoeveelheid",
    ])
    unit = shape.column([
      "unit", "units", "measure", "measurement", "einheit", "unité", "unite",
      "unidad", "unità", "enhet", "eenheid",
    ])
    note = shape.column(["note", "notes", "comment", "preparation", "hint", "notiz", "remark"])
    func edge(_ words: Set<String>) -> Int? {
      shape.edges.firstIndex { !$0.isToMany && $0.name.has(words) }
    }
    unitEdge = edge(["unit", "measure", "einheit"])
    foodEdge = edge(["food", "item", "product", "ingredient", "article", "lebensmittel", "zutat"])
  }
}

/// Common names of the parts of a recipe, in a few languages.
enum RecipeWords {
  static let recipes: Set<String> = [
    "recipe", "rezept", "recette", "receta", "ricetta", "recept", "oppskrift", "opskrift",
    "resepti",
    "przepis", "receita", "dish", "rezepte", "ricette", "recepten",
  ]
  static let ingredients: Set<String> = [
    "ingredient", "zutat", "zutaten", "ingrédient", "ingrediente", "ingredienti", "ingrediens",
    "ingredienser", "ingrediënt", "składnik",
  ]
  static let steps: Set<String> = [
    "step", "instruction", "direction", "method", "schritt", "schritte", "zubereitung", "anleitung",
    "étape", "etape", "paso", "passo", "steg", "stap", "preparazione", "procedure",
  ]
  static let times: Set<String> = [
    "time", "minute", "min", "mins", "duration", "hour", "second", "zeit", "dauer", "temps",
    "tiempo",
    "tempo", "preptime", "cooktime", "totaltime", "kochzeit", "garzeit", "backzeit",
    "zubereitungszeit", "arbeitszeit", "gesamtzeit",
  ]
  static let preparing: Set<String> = [
    "prep", "preparation", "preptime", "zubereitungszeit", "arbeitszeit", "préparation",
    "preparación",
    "vorbereitung", "active",
  ]
  static let cooking: Set<String> = [
    "cook", "cooking", "cooktime", "bake", "baking", "perform", "kochzeit", "garzeit", "backzeit",
    "cuisson", "cocción", "cottura",
  ]
  static let yields: Set<String> = [
    "servings", "serving", "serves", "yield", "portion", "portions", "portionen", "personen",
    "porciones", "porzioni", "rendement", "ergibt",
  ]
  static let categories: Set<String> = [
    "category", "categories", "course", "kategorie", "kategorien", "catégorie", "categoría",
    "categoria",
  ]
  static let keywords: Set<String> = ["tag", "keyword", "schlagwort", "stichwort", "étiquette"]
}

extension PageEdge {
  /// Whether the edge or its target is called one of `words`.
  fileprivate func isFor(_ words: Set<String>) -> Bool {
    name.has(words) || PageName(destination).has(words)
  }
}
