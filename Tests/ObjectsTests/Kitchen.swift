// Made by “decant generate swift Kitchen.sqlite”. Changes are lost when it is made again.
// swift-format-ignore-file

import Decant

/// An object of the entity Category.
struct Category: EntityObject {
  static let entity = "Category"
  static let properties: [String]? = ["name", "sortIndex", "symbol", "uuid"]

  /// The object's key.
  let id: ObjectID<Category>
  let name: String
  let sortIndex: Int16
  let symbol: String?
  let uuid: StoreUUID

  init(_ row: borrowing ObjectRow) throws(DecantError) {
    id = try row.id()
    name = try row.value(0)
    sortIndex = try row.value(1)
    symbol = try row.optional(2)
    uuid = try row.value(3)
  }

  /// Its recipes, in the order of the list where it has one.
  func recipes(in store: Store) -> Objects<Recipe> {
    store.objects(Recipe.self, of: id, "recipes")
  }

  /// The fields for conditions and orders.
  struct Fields: ObjectFields {
    private let path: ObjectPath
    init(_ path: ObjectPath) { self.path = path }
    var id: Field<ObjectID<Category>> { path.id() }
    var name: Field<String> { path.field("name") }
    var sortIndex: Field<Int16> { path.field("sortIndex") }
    var symbol: Field<String> { path.field("symbol") }
    var uuid: Field<StoreUUID> { path.field("uuid") }
    var recipes: ToMany<Recipe> { path.many("recipes") }
  }
}

/// An object of the entity Image.
struct Image: EntityObject {
  static let entity = "Image"
  static let properties: [String]? = ["byteCount", "height", "mimeType", "uuid", "width", "coverOf"]

  /// The object's key.
  let id: ObjectID<Image>
  let byteCount: Int64
  let height: Int32
  let mimeType: String
  let uuid: StoreUUID
  let width: Int32
  /// The key of its Recipe.
  let coverOf: ObjectID<Recipe>?

  init(_ row: borrowing ObjectRow) throws(DecantError) {
    id = try row.id()
    byteCount = try row.value(0)
    height = try row.value(1)
    mimeType = try row.value(2)
    uuid = try row.value(3)
    width = try row.value(4)
    coverOf = try row.optional(5)
  }

  /// The fields for conditions and orders.
  struct Fields: ObjectFields {
    private let path: ObjectPath
    init(_ path: ObjectPath) { self.path = path }
    var id: Field<ObjectID<Image>> { path.id() }
    var byteCount: Field<Int64> { path.field("byteCount") }
    var height: Field<Int32> { path.field("height") }
    var mimeType: Field<String> { path.field("mimeType") }
    var uuid: Field<StoreUUID> { path.field("uuid") }
    var width: Field<Int32> { path.field("width") }
    var data: Field<[UInt8]> { path.field("data") }
    var coverOf: ToOne<Recipe> { path.one("coverOf") }
  }
}

/// An object of the entity Ingredient.
struct Ingredient: EntityObject {
  static let entity = "Ingredient"
  static let properties: [String]? = ["amount", "isGarnish", "name", "note", "sortIndex", "unit", "uuid", "recipe"]

  /// The object's key.
  let id: ObjectID<Ingredient>
  let amount: Double?
  let isGarnish: Bool
  let name: String
  let note: String?
  let sortIndex: Int16
  let unit: String?
  let uuid: StoreUUID
  /// The key of its Recipe.
  let recipe: ObjectID<Recipe>

  init(_ row: borrowing ObjectRow) throws(DecantError) {
    id = try row.id()
    amount = try row.optional(0)
    isGarnish = try row.value(1)
    name = try row.value(2)
    note = try row.optional(3)
    sortIndex = try row.value(4)
    unit = try row.optional(5)
    uuid = try row.value(6)
    recipe = try row.value(7)
  }

  /// The fields for conditions and orders.
  struct Fields: ObjectFields {
    private let path: ObjectPath
    init(_ path: ObjectPath) { self.path = path }
    var id: Field<ObjectID<Ingredient>> { path.id() }
    var amount: Field<Double> { path.field("amount") }
    var isGarnish: Field<Bool> { path.field("isGarnish") }
    var name: Field<String> { path.field("name") }
    var note: Field<String> { path.field("note") }
    var sortIndex: Field<Int16> { path.field("sortIndex") }
    var unit: Field<String> { path.field("unit") }
    var uuid: Field<StoreUUID> { path.field("uuid") }
    var recipe: ToOne<Recipe> { path.one("recipe") }
  }
}

/// An object of the entity Recipe.
struct Recipe: EntityObject {
  static let entity = "Recipe"
  static let properties: [String]? = ["author", "cookMinutes", "createdAt", "energy", "isFavorite", "lastCookedAt", "modifiedAt", "prepMinutes", "price", "rating", "servings", "sourceURL", "subtitle", "title", "uuid", "viewCount", "category", "cover", "variantOf"]

  /// The object's key.
  let id: ObjectID<Recipe>
  let author: String?
  let cookMinutes: Int32
  let createdAt: StoreDate
  let energy: Double?
  let isFavorite: Bool
  let lastCookedAt: StoreDate?
  let modifiedAt: StoreDate
  let prepMinutes: Int32
  /// A decimal, which SQLite holds as a binary number.
  let price: Double?
  let rating: Float?
  let servings: Int16
  /// A URI.
  let sourceURL: String?
  let subtitle: String?
  let title: String
  let uuid: StoreUUID
  let viewCount: Int64
  /// The key of its Category.
  let category: ObjectID<Category>?
  /// The key of its Image.
  let cover: ObjectID<Image>?
  /// The key of its Recipe.
  let variantOf: ObjectID<Recipe>?

  init(_ row: borrowing ObjectRow) throws(DecantError) {
    id = try row.id()
    author = try row.optional(0)
    cookMinutes = try row.value(1)
    createdAt = try row.value(2)
    energy = try row.optional(3)
    isFavorite = try row.value(4)
    lastCookedAt = try row.optional(5)
    modifiedAt = try row.value(6)
    prepMinutes = try row.value(7)
    price = try row.optional(8)
    rating = try row.optional(9)
    servings = try row.value(10)
    sourceURL = try row.optional(11)
    subtitle = try row.optional(12)
    title = try row.value(13)
    uuid = try row.value(14)
    viewCount = try row.value(15)
    category = try row.optional(16)
    cover = try row.optional(17)
    variantOf = try row.optional(18)
  }

  /// Its images, in the order of the list where it has one.
  func images(in store: Store) -> Objects<RecipeImage> {
    store.objects(RecipeImage.self, of: id, "images")
  }

  /// Its ingredients, in the order of the list where it has one.
  func ingredients(in store: Store) -> Objects<Ingredient> {
    store.objects(Ingredient.self, of: id, "ingredients")
  }

  /// Its steps, in the order of the list where it has one.
  func steps(in store: Store) -> Objects<Step> {
    store.objects(Step.self, of: id, "steps")
  }

  /// Its tags, in the order of the list where it has one.
  func tags(in store: Store) -> Objects<Tag> {
    store.objects(Tag.self, of: id, "tags")
  }

  /// Its variants, in the order of the list where it has one.
  func variants(in store: Store) -> Objects<Recipe> {
    store.objects(Recipe.self, of: id, "variants")
  }

  /// The fields for conditions and orders.
  struct Fields: ObjectFields {
    private let path: ObjectPath
    init(_ path: ObjectPath) { self.path = path }
    var id: Field<ObjectID<Recipe>> { path.id() }
    var author: Field<String> { path.field("author") }
    var cookMinutes: Field<Int32> { path.field("cookMinutes") }
    var createdAt: Field<StoreDate> { path.field("createdAt") }
    var energy: Field<Double> { path.field("energy") }
    var isFavorite: Field<Bool> { path.field("isFavorite") }
    var lastCookedAt: Field<StoreDate> { path.field("lastCookedAt") }
    var modifiedAt: Field<StoreDate> { path.field("modifiedAt") }
    var prepMinutes: Field<Int32> { path.field("prepMinutes") }
    var price: Field<Double> { path.field("price") }
    var rating: Field<Float> { path.field("rating") }
    var servings: Field<Int16> { path.field("servings") }
    var sourceURL: Field<String> { path.field("sourceURL") }
    var subtitle: Field<String> { path.field("subtitle") }
    var title: Field<String> { path.field("title") }
    var uuid: Field<StoreUUID> { path.field("uuid") }
    var viewCount: Field<Int64> { path.field("viewCount") }
    var nutrition: Field<[UInt8]> { path.field("nutrition") }
    var category: ToOne<Category> { path.one("category") }
    var cover: ToOne<Image> { path.one("cover") }
    var images: ToMany<RecipeImage> { path.many("images") }
    var ingredients: ToMany<Ingredient> { path.many("ingredients") }
    var steps: ToMany<Step> { path.many("steps") }
    var tags: ToMany<Tag> { path.many("tags") }
    var variantOf: ToOne<Recipe> { path.one("variantOf") }
    var variants: ToMany<Recipe> { path.many("variants") }
  }
}

/// An object of the entity RecipeImage.
struct RecipeImage: EntityObject {
  static let entity = "RecipeImage"
  static let properties: [String]? = ["byteCount", "caption", "height", "mimeType", "uuid", "width", "coverOf", "recipe"]

  /// The object's key.
  let id: ObjectID<RecipeImage>
  let byteCount: Int64
  let caption: String?
  let height: Int32
  let mimeType: String
  let uuid: StoreUUID
  let width: Int32
  /// The key of its Recipe.
  let coverOf: ObjectID<Recipe>?
  /// The key of its Recipe.
  let recipe: ObjectID<Recipe>?

  init(_ row: borrowing ObjectRow) throws(DecantError) {
    id = try row.id()
    byteCount = try row.value(0)
    caption = try row.optional(1)
    height = try row.value(2)
    mimeType = try row.value(3)
    uuid = try row.value(4)
    width = try row.value(5)
    coverOf = try row.optional(6)
    recipe = try row.optional(7)
  }

  /// The fields for conditions and orders.
  struct Fields: ObjectFields {
    private let path: ObjectPath
    init(_ path: ObjectPath) { self.path = path }
    var id: Field<ObjectID<RecipeImage>> { path.id() }
    var byteCount: Field<Int64> { path.field("byteCount") }
    var caption: Field<String> { path.field("caption") }
    var height: Field<Int32> { path.field("height") }
    var mimeType: Field<String> { path.field("mimeType") }
    var uuid: Field<StoreUUID> { path.field("uuid") }
    var width: Field<Int32> { path.field("width") }
    var data: Field<[UInt8]> { path.field("data") }
    var coverOf: ToOne<Recipe> { path.one("coverOf") }
    var recipe: ToOne<Recipe> { path.one("recipe") }
  }
}

/// An object of the entity Step.
struct Step: EntityObject {
  static let entity = "Step"
  static let properties: [String]? = ["duration", "text", "uuid", "recipe"]

  /// The object's key.
  let id: ObjectID<Step>
  let duration: Double?
  let text: String
  let uuid: StoreUUID
  /// The key of its Recipe.
  let recipe: ObjectID<Recipe>?

  init(_ row: borrowing ObjectRow) throws(DecantError) {
    id = try row.id()
    duration = try row.optional(0)
    text = try row.value(1)
    uuid = try row.value(2)
    recipe = try row.optional(3)
  }

  /// Its images, in the order of the list where it has one.
  func images(in store: Store) -> Objects<StepImage> {
    store.objects(StepImage.self, of: id, "images")
  }

  /// The fields for conditions and orders.
  struct Fields: ObjectFields {
    private let path: ObjectPath
    init(_ path: ObjectPath) { self.path = path }
    var id: Field<ObjectID<Step>> { path.id() }
    var duration: Field<Double> { path.field("duration") }
    var text: Field<String> { path.field("text") }
    var uuid: Field<StoreUUID> { path.field("uuid") }
    var images: ToMany<StepImage> { path.many("images") }
    var recipe: ToOne<Recipe> { path.one("recipe") }
  }
}

/// An object of the entity StepImage.
struct StepImage: EntityObject {
  static let entity = "StepImage"
  static let properties: [String]? = ["byteCount", "caption", "height", "mimeType", "uuid", "width", "coverOf", "step"]

  /// The object's key.
  let id: ObjectID<StepImage>
  let byteCount: Int64
  let caption: String?
  let height: Int32
  let mimeType: String
  let uuid: StoreUUID
  let width: Int32
  /// The key of its Recipe.
  let coverOf: ObjectID<Recipe>?
  /// The key of its Step.
  let step: ObjectID<Step>?

  init(_ row: borrowing ObjectRow) throws(DecantError) {
    id = try row.id()
    byteCount = try row.value(0)
    caption = try row.optional(1)
    height = try row.value(2)
    mimeType = try row.value(3)
    uuid = try row.value(4)
    width = try row.value(5)
    coverOf = try row.optional(6)
    step = try row.optional(7)
  }

  /// The fields for conditions and orders.
  struct Fields: ObjectFields {
    private let path: ObjectPath
    init(_ path: ObjectPath) { self.path = path }
    var id: Field<ObjectID<StepImage>> { path.id() }
    var byteCount: Field<Int64> { path.field("byteCount") }
    var caption: Field<String> { path.field("caption") }
    var height: Field<Int32> { path.field("height") }
    var mimeType: Field<String> { path.field("mimeType") }
    var uuid: Field<StoreUUID> { path.field("uuid") }
    var width: Field<Int32> { path.field("width") }
    var data: Field<[UInt8]> { path.field("data") }
    var coverOf: ToOne<Recipe> { path.one("coverOf") }
    var step: ToOne<Step> { path.one("step") }
  }
}

/// An object of the entity Tag.
struct Tag: EntityObject {
  static let entity = "Tag"
  static let properties: [String]? = ["color", "name", "uuid"]

  /// The object's key.
  let id: ObjectID<Tag>
  let color: Int32
  let name: String
  let uuid: StoreUUID

  init(_ row: borrowing ObjectRow) throws(DecantError) {
    id = try row.id()
    color = try row.value(0)
    name = try row.value(1)
    uuid = try row.value(2)
  }

  /// Its recipes, in the order of the list where it has one.
  func recipes(in store: Store) -> Objects<Recipe> {
    store.objects(Recipe.self, of: id, "recipes")
  }

  /// The fields for conditions and orders.
  struct Fields: ObjectFields {
    private let path: ObjectPath
    init(_ path: ObjectPath) { self.path = path }
    var id: Field<ObjectID<Tag>> { path.id() }
    var color: Field<Int32> { path.field("color") }
    var name: Field<String> { path.field("name") }
    var uuid: Field<StoreUUID> { path.field("uuid") }
    var recipes: ToMany<Recipe> { path.many("recipes") }
  }
}

