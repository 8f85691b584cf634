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
    self.id = try row.id()
    self.name = try row.value(0)
    self.sortIndex = try row.value(1)
    self.symbol = try row.optional(2)
    self.uuid = try row.value(3)
  }

  /// Its recipes, in the order of the list where it has one.
  public func recipes(in source: some ObjectSource) -> Objects<Recipe> {
    source.objects(Recipe.self, of: id, "recipes")
  }

  /// The fields for conditions and orders.
  public struct Fields: ObjectFields {
    private let objectPath: ObjectPath
    public init(_ path: ObjectPath) { objectPath = path }
    public var id: Field<ObjectID<Category>> { objectPath.id() }
    public var name: Field<String> { objectPath.field("name") }
    public var sortIndex: Field<Int16> { objectPath.field("sortIndex") }
    public var symbol: Field<String> { objectPath.field("symbol") }
    public var uuid: Field<StoreUUID> { objectPath.field("uuid") }
    public var recipes: ToMany<Recipe> { objectPath.many("recipes") }
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
    self.id = try row.id()
    self.byteCount = try row.value(0)
    self.height = try row.value(1)
    self.mimeType = try row.value(2)
    self.uuid = try row.value(3)
    self.width = try row.value(4)
    self.coverOf = try row.optional(5)
  }

  /// The fields for conditions and orders.
  public struct Fields: ObjectFields {
    private let objectPath: ObjectPath
    public init(_ path: ObjectPath) { objectPath = path }
    public var id: Field<ObjectID<Image>> { objectPath.id() }
    public var byteCount: Field<Int64> { objectPath.field("byteCount") }
    public var height: Field<Int32> { objectPath.field("height") }
    public var mimeType: Field<String> { objectPath.field("mimeType") }
    public var uuid: Field<StoreUUID> { objectPath.field("uuid") }
    public var width: Field<Int32> { objectPath.field("width") }
    public var data: Field<[UInt8]> { objectPath.field("data") }
    public var coverOf: ToOne<Recipe> { objectPath.one("coverOf") }
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
    self.id = try row.id()
    self.amount = try row.optional(0)
    self.isGarnish = try row.value(1)
    self.name = try row.value(2)
    self.note = try row.optional(3)
    self.sortIndex = try row.value(4)
    self.unit = try row.optional(5)
    self.uuid = try row.value(6)
    self.recipe = try row.value(7)
  }

  /// The fields for conditions and orders.
  public struct Fields: ObjectFields {
    private let objectPath: ObjectPath
    public init(_ path: ObjectPath) { objectPath = path }
    public var id: Field<ObjectID<Ingredient>> { objectPath.id() }
    public var amount: Field<Double> { objectPath.field("amount") }
    public var isGarnish: Field<Bool> { objectPath.field("isGarnish") }
    public var name: Field<String> { objectPath.field("name") }
    public var note: Field<String> { objectPath.field("note") }
    public var sortIndex: Field<Int16> { objectPath.field("sortIndex") }
    public var unit: Field<String> { objectPath.field("unit") }
    public var uuid: Field<StoreUUID> { objectPath.field("uuid") }
    public var recipe: ToOne<Recipe> { objectPath.one("recipe") }
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
    self.id = try row.id()
    self.author = try row.optional(0)
    self.cookMinutes = try row.value(1)
    self.createdAt = try row.value(2)
    self.energy = try row.optional(3)
    self.isFavorite = try row.value(4)
    self.lastCookedAt = try row.optional(5)
    self.modifiedAt = try row.value(6)
    self.prepMinutes = try row.value(7)
    self.price = try row.optional(8)
    self.rating = try row.optional(9)
    self.servings = try row.value(10)
    self.sourceURL = try row.optional(11)
    self.subtitle = try row.optional(12)
    self.title = try row.value(13)
    self.uuid = try row.value(14)
    self.viewCount = try row.value(15)
    self.category = try row.optional(16)
    self.cover = try row.optional(17)
    self.variantOf = try row.optional(18)
  }

  /// Its images, in the order of the list where it has one.
  public func images(in source: some ObjectSource) -> Objects<RecipeImage> {
    source.objects(RecipeImage.self, of: id, "images")
  }

  /// Its ingredients, in the order of the list where it has one.
  public func ingredients(in source: some ObjectSource) -> Objects<Ingredient> {
    source.objects(Ingredient.self, of: id, "ingredients")
  }

  /// Its steps, in the order of the list where it has one.
  public func steps(in source: some ObjectSource) -> Objects<Step> {
    source.objects(Step.self, of: id, "steps")
  }

  /// Its tags, in the order of the list where it has one.
  public func tags(in source: some ObjectSource) -> Objects<Tag> {
    source.objects(Tag.self, of: id, "tags")
  }

  /// Its variants, in the order of the list where it has one.
  public func variants(in source: some ObjectSource) -> Objects<Recipe> {
    source.objects(Recipe.self, of: id, "variants")
  }

  /// The fields for conditions and orders.
  public struct Fields: ObjectFields {
    private let objectPath: ObjectPath
    public init(_ path: ObjectPath) { objectPath = path }
    public var id: Field<ObjectID<Recipe>> { objectPath.id() }
    public var author: Field<String> { objectPath.field("author") }
    public var cookMinutes: Field<Int32> { objectPath.field("cookMinutes") }
    public var createdAt: Field<StoreDate> { objectPath.field("createdAt") }
    public var energy: Field<Double> { objectPath.field("energy") }
    public var isFavorite: Field<Bool> { objectPath.field("isFavorite") }
    public var lastCookedAt: Field<StoreDate> { objectPath.field("lastCookedAt") }
    public var modifiedAt: Field<StoreDate> { objectPath.field("modifiedAt") }
    public var prepMinutes: Field<Int32> { objectPath.field("prepMinutes") }
    public var price: Field<Double> { objectPath.field("price") }
    public var rating: Field<Float> { objectPath.field("rating") }
    public var servings: Field<Int16> { objectPath.field("servings") }
    public var sourceURL: Field<String> { objectPath.field("sourceURL") }
    public var subtitle: Field<String> { objectPath.field("subtitle") }
    public var title: Field<String> { objectPath.field("title") }
    public var uuid: Field<StoreUUID> { objectPath.field("uuid") }
    public var viewCount: Field<Int64> { objectPath.field("viewCount") }
    public var nutrition: Field<[UInt8]> { objectPath.field("nutrition") }
    public var category: ToOne<Category> { objectPath.one("category") }
    public var cover: ToOne<Image> { objectPath.one("cover") }
    public var images: ToMany<RecipeImage> { objectPath.many("images") }
    public var ingredients: ToMany<Ingredient> { objectPath.many("ingredients") }
    public var steps: ToMany<Step> { objectPath.many("steps") }
    public var tags: ToMany<Tag> { objectPath.many("tags") }
    public var variantOf: ToOne<Recipe> { objectPath.one("variantOf") }
    public var variants: ToMany<Recipe> { objectPath.many("variants") }
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
    self.id = try row.id()
    self.byteCount = try row.value(0)
    self.caption = try row.optional(1)
    self.height = try row.value(2)
    self.mimeType = try row.value(3)
    self.uuid = try row.value(4)
    self.width = try row.value(5)
    self.coverOf = try row.optional(6)
    self.recipe = try row.optional(7)
  }

  /// The fields for conditions and orders.
  public struct Fields: ObjectFields {
    private let objectPath: ObjectPath
    public init(_ path: ObjectPath) { objectPath = path }
    public var id: Field<ObjectID<RecipeImage>> { objectPath.id() }
    public var byteCount: Field<Int64> { objectPath.field("byteCount") }
    public var caption: Field<String> { objectPath.field("caption") }
    public var height: Field<Int32> { objectPath.field("height") }
    public var mimeType: Field<String> { objectPath.field("mimeType") }
    public var uuid: Field<StoreUUID> { objectPath.field("uuid") }
    public var width: Field<Int32> { objectPath.field("width") }
    public var data: Field<[UInt8]> { objectPath.field("data") }
    public var coverOf: ToOne<Recipe> { objectPath.one("coverOf") }
    public var recipe: ToOne<Recipe> { objectPath.one("recipe") }
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
    self.id = try row.id()
    self.duration = try row.optional(0)
    self.text = try row.value(1)
    self.uuid = try row.value(2)
    self.recipe = try row.optional(3)
  }

  /// Its images, in the order of the list where it has one.
  public func images(in source: some ObjectSource) -> Objects<StepImage> {
    source.objects(StepImage.self, of: id, "images")
  }

  /// The fields for conditions and orders.
  public struct Fields: ObjectFields {
    private let objectPath: ObjectPath
    public init(_ path: ObjectPath) { objectPath = path }
    public var id: Field<ObjectID<Step>> { objectPath.id() }
    public var duration: Field<Double> { objectPath.field("duration") }
    public var text: Field<String> { objectPath.field("text") }
    public var uuid: Field<StoreUUID> { objectPath.field("uuid") }
    public var images: ToMany<StepImage> { objectPath.many("images") }
    public var recipe: ToOne<Recipe> { objectPath.one("recipe") }
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
    self.id = try row.id()
    self.byteCount = try row.value(0)
    self.caption = try row.optional(1)
    self.height = try row.value(2)
    self.mimeType = try row.value(3)
    self.uuid = try row.value(4)
    self.width = try row.value(5)
    self.coverOf = try row.optional(6)
    self.step = try row.optional(7)
  }

  /// The fields for conditions and orders.
  public struct Fields: ObjectFields {
    private let objectPath: ObjectPath
    public init(_ path: ObjectPath) { objectPath = path }
    public var id: Field<ObjectID<StepImage>> { objectPath.id() }
    public var byteCount: Field<Int64> { objectPath.field("byteCount") }
    public var caption: Field<String> { objectPath.field("caption") }
    public var height: Field<Int32> { objectPath.field("height") }
    public var mimeType: Field<String> { objectPath.field("mimeType") }
    public var uuid: Field<StoreUUID> { objectPath.field("uuid") }
    public var width: Field<Int32> { objectPath.field("width") }
    public var data: Field<[UInt8]> { objectPath.field("data") }
    public var coverOf: ToOne<Recipe> { objectPath.one("coverOf") }
    public var step: ToOne<Step> { objectPath.one("step") }
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
    self.id = try row.id()
    self.color = try row.value(0)
    self.name = try row.value(1)
    self.uuid = try row.value(2)
  }

  /// Its recipes, in the order of the list where it has one.
  public func recipes(in source: some ObjectSource) -> Objects<Recipe> {
    source.objects(Recipe.self, of: id, "recipes")
  }

  /// The fields for conditions and orders.
  public struct Fields: ObjectFields {
    private let objectPath: ObjectPath
    public init(_ path: ObjectPath) { objectPath = path }
    public var id: Field<ObjectID<Tag>> { objectPath.id() }
    public var color: Field<Int32> { objectPath.field("color") }
    public var name: Field<String> { objectPath.field("name") }
    public var uuid: Field<StoreUUID> { objectPath.field("uuid") }
    public var recipes: ToMany<Recipe> { objectPath.many("recipes") }
  }
}

