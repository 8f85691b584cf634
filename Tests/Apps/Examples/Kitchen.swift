// Made by “decant generate swift Kitchen.sqlite”. Changes are lost when it is made again.
// swift-format-ignore-file

public import Decant

/// An object of the entity Category.
public struct Category: EntityObject {
  public static let entity = "Category"
  public static let properties: [String]? = ["name", "sortIndex", "symbol", "uuid"]

  /// The object's key.
  public let id: ObjectID<Category>
  public let name: String
  public let sortIndex: Int16
  public let symbol: String?
  public let uuid: StoreUUID

  public init(_ row: borrowing ObjectRow) throws(DecantError) {
    id = try row.id()
    name = try row.value(0)
    sortIndex = try row.value(1)
    symbol = try row.optional(2)
    uuid = try row.value(3)
  }

  /// Its recipes, in the order of the list where it has one.
  public func recipes(in store: Store) -> Objects<Recipe> {
    store.objects(Recipe.self, of: id, "recipes")
  }

  /// The fields for conditions and orders.
  public struct Fields: ObjectFields {
    private let path: ObjectPath
    public init(_ path: ObjectPath) { self.path = path }
    public var id: Field<ObjectID<Category>> { path.id() }
    public var name: Field<String> { path.field("name") }
    public var sortIndex: Field<Int16> { path.field("sortIndex") }
    public var symbol: Field<String> { path.field("symbol") }
    public var uuid: Field<StoreUUID> { path.field("uuid") }
    public var recipes: ToMany<Recipe> { path.many("recipes") }
  }
}

/// An object of the entity Image.
public struct Image: EntityObject {
  public static let entity = "Image"
  public static let properties: [String]? = ["byteCount", "height", "mimeType", "uuid", "width", "coverOf"]

  /// The object's key.
  public let id: ObjectID<Image>
  public let byteCount: Int64
  public let height: Int32
  public let mimeType: String
  public let uuid: StoreUUID
  public let width: Int32
  /// The key of its Recipe.
  public let coverOf: ObjectID<Recipe>?

  public init(_ row: borrowing ObjectRow) throws(DecantError) {
    id = try row.id()
    byteCount = try row.value(0)
    height = try row.value(1)
    mimeType = try row.value(2)
    uuid = try row.value(3)
    width = try row.value(4)
    coverOf = try row.optional(5)
  }

  /// The fields for conditions and orders.
  public struct Fields: ObjectFields {
    private let path: ObjectPath
    public init(_ path: ObjectPath) { self.path = path }
    public var id: Field<ObjectID<Image>> { path.id() }
    public var byteCount: Field<Int64> { path.field("byteCount") }
    public var height: Field<Int32> { path.field("height") }
    public var mimeType: Field<String> { path.field("mimeType") }
    public var uuid: Field<StoreUUID> { path.field("uuid") }
    public var width: Field<Int32> { path.field("width") }
    public var data: Field<[UInt8]> { path.field("data") }
    public var coverOf: ToOne<Recipe> { path.one("coverOf") }
  }
}

/// An object of the entity Ingredient.
public struct Ingredient: EntityObject {
  public static let entity = "Ingredient"
  public static let properties: [String]? = ["amount", "isGarnish", "name", "note", "sortIndex", "unit", "uuid", "recipe"]

  /// The object's key.
  public let id: ObjectID<Ingredient>
  public let amount: Double?
  public let isGarnish: Bool
  public let name: String
  public let note: String?
  public let sortIndex: Int16
  public let unit: String?
  public let uuid: StoreUUID
  /// The key of its Recipe.
  public let recipe: ObjectID<Recipe>

  public init(_ row: borrowing ObjectRow) throws(DecantError) {
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
  public struct Fields: ObjectFields {
    private let path: ObjectPath
    public init(_ path: ObjectPath) { self.path = path }
    public var id: Field<ObjectID<Ingredient>> { path.id() }
    public var amount: Field<Double> { path.field("amount") }
    public var isGarnish: Field<Bool> { path.field("isGarnish") }
    public var name: Field<String> { path.field("name") }
    public var note: Field<String> { path.field("note") }
    public var sortIndex: Field<Int16> { path.field("sortIndex") }
    public var unit: Field<String> { path.field("unit") }
    public var uuid: Field<StoreUUID> { path.field("uuid") }
    public var recipe: ToOne<Recipe> { path.one("recipe") }
  }
}

/// An object of the entity Recipe.
public struct Recipe: EntityObject {
  public static let entity = "Recipe"
  public static let properties: [String]? = ["author", "cookMinutes", "createdAt", "energy", "isFavorite", "lastCookedAt", "modifiedAt", "prepMinutes", "price", "rating", "servings", "sourceURL", "subtitle", "title", "uuid", "viewCount", "category", "cover", "variantOf"]

  /// The object's key.
  public let id: ObjectID<Recipe>
  public let author: String?
  public let cookMinutes: Int32
  public let createdAt: StoreDate
  public let energy: Double?
  public let isFavorite: Bool
  public let lastCookedAt: StoreDate?
  public let modifiedAt: StoreDate
  public let prepMinutes: Int32
  /// A decimal, which SQLite holds as a binary number.
  public let price: Double?
  public let rating: Float?
  public let servings: Int16
  /// A URI.
  public let sourceURL: String?
  public let subtitle: String?
  public let title: String
  public let uuid: StoreUUID
  public let viewCount: Int64
  /// The key of its Category.
  public let category: ObjectID<Category>?
  /// The key of its Image.
  public let cover: ObjectID<Image>?
  /// The key of its Recipe.
  public let variantOf: ObjectID<Recipe>?

  public init(_ row: borrowing ObjectRow) throws(DecantError) {
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
  public func images(in store: Store) -> Objects<RecipeImage> {
    store.objects(RecipeImage.self, of: id, "images")
  }

  /// Its ingredients, in the order of the list where it has one.
  public func ingredients(in store: Store) -> Objects<Ingredient> {
    store.objects(Ingredient.self, of: id, "ingredients")
  }

  /// Its steps, in the order of the list where it has one.
  public func steps(in store: Store) -> Objects<Step> {
    store.objects(Step.self, of: id, "steps")
  }

  /// Its tags, in the order of the list where it has one.
  public func tags(in store: Store) -> Objects<Tag> {
    store.objects(Tag.self, of: id, "tags")
  }

  /// Its variants, in the order of the list where it has one.
  public func variants(in store: Store) -> Objects<Recipe> {
    store.objects(Recipe.self, of: id, "variants")
  }

  /// The fields for conditions and orders.
  public struct Fields: ObjectFields {
    private let path: ObjectPath
    public init(_ path: ObjectPath) { self.path = path }
    public var id: Field<ObjectID<Recipe>> { path.id() }
    public var author: Field<String> { path.field("author") }
    public var cookMinutes: Field<Int32> { path.field("cookMinutes") }
    public var createdAt: Field<StoreDate> { path.field("createdAt") }
    public var energy: Field<Double> { path.field("energy") }
    public var isFavorite: Field<Bool> { path.field("isFavorite") }
    public var lastCookedAt: Field<StoreDate> { path.field("lastCookedAt") }
    public var modifiedAt: Field<StoreDate> { path.field("modifiedAt") }
    public var prepMinutes: Field<Int32> { path.field("prepMinutes") }
    public var price: Field<Double> { path.field("price") }
    public var rating: Field<Float> { path.field("rating") }
    public var servings: Field<Int16> { path.field("servings") }
    public var sourceURL: Field<String> { path.field("sourceURL") }
    public var subtitle: Field<String> { path.field("subtitle") }
    public var title: Field<String> { path.field("title") }
    public var uuid: Field<StoreUUID> { path.field("uuid") }
    public var viewCount: Field<Int64> { path.field("viewCount") }
    public var nutrition: Field<[UInt8]> { path.field("nutrition") }
    public var category: ToOne<Category> { path.one("category") }
    public var cover: ToOne<Image> { path.one("cover") }
    public var images: ToMany<RecipeImage> { path.many("images") }
    public var ingredients: ToMany<Ingredient> { path.many("ingredients") }
    public var steps: ToMany<Step> { path.many("steps") }
    public var tags: ToMany<Tag> { path.many("tags") }
    public var variantOf: ToOne<Recipe> { path.one("variantOf") }
    public var variants: ToMany<Recipe> { path.many("variants") }
  }
}

/// An object of the entity RecipeImage.
public struct RecipeImage: EntityObject {
  public static let entity = "RecipeImage"
  public static let properties: [String]? = ["byteCount", "caption", "height", "mimeType", "uuid", "width", "coverOf", "recipe"]

  /// The object's key.
  public let id: ObjectID<RecipeImage>
  public let byteCount: Int64
  public let caption: String?
  public let height: Int32
  public let mimeType: String
  public let uuid: StoreUUID
  public let width: Int32
  /// The key of its Recipe.
  public let coverOf: ObjectID<Recipe>?
  /// The key of its Recipe.
  public let recipe: ObjectID<Recipe>?

  public init(_ row: borrowing ObjectRow) throws(DecantError) {
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
  public struct Fields: ObjectFields {
    private let path: ObjectPath
    public init(_ path: ObjectPath) { self.path = path }
    public var id: Field<ObjectID<RecipeImage>> { path.id() }
    public var byteCount: Field<Int64> { path.field("byteCount") }
    public var caption: Field<String> { path.field("caption") }
    public var height: Field<Int32> { path.field("height") }
    public var mimeType: Field<String> { path.field("mimeType") }
    public var uuid: Field<StoreUUID> { path.field("uuid") }
    public var width: Field<Int32> { path.field("width") }
    public var data: Field<[UInt8]> { path.field("data") }
    public var coverOf: ToOne<Recipe> { path.one("coverOf") }
    public var recipe: ToOne<Recipe> { path.one("recipe") }
  }
}

/// An object of the entity Step.
public struct Step: EntityObject {
  public static let entity = "Step"
  public static let properties: [String]? = ["duration", "text", "uuid", "recipe"]

  /// The object's key.
  public let id: ObjectID<Step>
  public let duration: Double?
  public let text: String
  public let uuid: StoreUUID
  /// The key of its Recipe.
  public let recipe: ObjectID<Recipe>?

  public init(_ row: borrowing ObjectRow) throws(DecantError) {
    id = try row.id()
    duration = try row.optional(0)
    text = try row.value(1)
    uuid = try row.value(2)
    recipe = try row.optional(3)
  }

  /// Its images, in the order of the list where it has one.
  public func images(in store: Store) -> Objects<StepImage> {
    store.objects(StepImage.self, of: id, "images")
  }

  /// The fields for conditions and orders.
  public struct Fields: ObjectFields {
    private let path: ObjectPath
    public init(_ path: ObjectPath) { self.path = path }
    public var id: Field<ObjectID<Step>> { path.id() }
    public var duration: Field<Double> { path.field("duration") }
    public var text: Field<String> { path.field("text") }
    public var uuid: Field<StoreUUID> { path.field("uuid") }
    public var images: ToMany<StepImage> { path.many("images") }
    public var recipe: ToOne<Recipe> { path.one("recipe") }
  }
}

/// An object of the entity StepImage.
public struct StepImage: EntityObject {
  public static let entity = "StepImage"
  public static let properties: [String]? = ["byteCount", "caption", "height", "mimeType", "uuid", "width", "coverOf", "step"]

  /// The object's key.
  public let id: ObjectID<StepImage>
  public let byteCount: Int64
  public let caption: String?
  public let height: Int32
  public let mimeType: String
  public let uuid: StoreUUID
  public let width: Int32
  /// The key of its Recipe.
  public let coverOf: ObjectID<Recipe>?
  /// The key of its Step.
  public let step: ObjectID<Step>?

  public init(_ row: borrowing ObjectRow) throws(DecantError) {
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
  public struct Fields: ObjectFields {
    private let path: ObjectPath
    public init(_ path: ObjectPath) { self.path = path }
    public var id: Field<ObjectID<StepImage>> { path.id() }
    public var byteCount: Field<Int64> { path.field("byteCount") }
    public var caption: Field<String> { path.field("caption") }
    public var height: Field<Int32> { path.field("height") }
    public var mimeType: Field<String> { path.field("mimeType") }
    public var uuid: Field<StoreUUID> { path.field("uuid") }
    public var width: Field<Int32> { path.field("width") }
    public var data: Field<[UInt8]> { path.field("data") }
    public var coverOf: ToOne<Recipe> { path.one("coverOf") }
    public var step: ToOne<Step> { path.one("step") }
  }
}

/// An object of the entity Tag.
public struct Tag: EntityObject {
  public static let entity = "Tag"
  public static let properties: [String]? = ["color", "name", "uuid"]

  /// The object's key.
  public let id: ObjectID<Tag>
  public let color: Int32
  public let name: String
  public let uuid: StoreUUID

  public init(_ row: borrowing ObjectRow) throws(DecantError) {
    id = try row.id()
    color = try row.value(0)
    name = try row.value(1)
    uuid = try row.value(2)
  }

  /// Its recipes, in the order of the list where it has one.
  public func recipes(in store: Store) -> Objects<Recipe> {
    store.objects(Recipe.self, of: id, "recipes")
  }

  /// The fields for conditions and orders.
  public struct Fields: ObjectFields {
    private let path: ObjectPath
    public init(_ path: ObjectPath) { self.path = path }
    public var id: Field<ObjectID<Tag>> { path.id() }
    public var color: Field<Int32> { path.field("color") }
    public var name: Field<String> { path.field("name") }
    public var uuid: Field<StoreUUID> { path.field("uuid") }
    public var recipes: ToMany<Recipe> { path.many("recipes") }
  }
}

