/// What one store holds, in a cook's words.
struct Menu {
  /// The store's name, from which the UUIDs of what is its own are made.
  let name: String
  let categories: [(name: String, symbol: String?)]
  let tags: [(name: String, color: Int64)]
  let dishes: [Dish]
}

/// A recipe with its parts.
struct Dish {
  let title: String
  var subtitle: String?
  var author: String?
  let category: String?
  var tags: [String] = []
  /// The title of the recipe that this is a variant of.
  var variantOf: String?
  let prepMinutes: Int64
  let cookMinutes: Int64
  let servings: Int64
  var rating: Float?
  var price: Double?
  var food: Food?
  var source: String?
  var isFavorite = false
  var views: Int64 = 0
  let created: Moment
  /// How long after it was written the recipe was last changed; never, if missing.
  var changedAfter: Double?
  var cooked: Moment?
  let ingredients: [Part]
  let steps: [Move]
  /// The step that was added between the others when all were written.
  var lateStep: Int?
  var picture: Picture?
  var caption: String?
  /// Whether the picture of the first illustrated step is the cover, not the recipe's own.
  var isCoveredByStep = false
  /// How many keys of deleted recipes come before this one.
  var gap: Int64 = 0
}

/// What a serving contains: kilocalories, and grams.
struct Food {
  let energy, fat, carbohydrate, protein: Double

  init(_ energy: Double, fat: Double, carbohydrate: Double, protein: Double) {
    self.energy = energy
    self.fat = fat
    self.carbohydrate = carbohydrate
    self.protein = protein
  }
}

/// An ingredient and how much of it.
struct Part {
  let amount: Double?
  let unit: String?
  let name: String
  let note: String?
  let isGarnish: Bool

  init(_ amount: Double?, _ unit: String?, _ name: String, _ note: String? = nil, isGarnish: Bool = false) {
    self.amount = amount
    self.unit = unit
    self.name = name
    self.note = note
    self.isGarnish = isGarnish
  }
}

/// A step, with how many seconds it takes where that can be said.
struct Move {
  let text: String
  let seconds: Double?
  let picture: Picture?
  let caption: String?

  init(_ text: String, seconds: Double? = nil, picture: Picture? = nil, caption: String? = nil) {
    self.text = text
    self.seconds = seconds
    self.picture = picture
    self.caption = caption
  }
}
