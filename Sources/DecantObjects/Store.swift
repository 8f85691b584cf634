public import DecantBase
public import DecantStore
internal import DecantPlan
internal import DecantTransfer

/// An open store: its objects read lazily, typed or by name.
///
/// Any kind of store that decant reads can be opened: Core Data, plain SQLite, archives. Reading never changes it. Each
/// read sees one state of the store; reads run side by side, on connections that are kept for the next one.
///
/// ```swift
/// let store = try Store("Kitchen.sqlite")
/// let soups = store.objects(Recipe.self).filter { $0.rating >= 4 && $0.category.name == "Soup" }
/// for try await soup in soups { print(soup.title) }
/// ```
public final class Store: Sendable {
  /// Where the store is.
  public let location: StoreLocation
  /// The entities, attributes and relationships.
  ///
  /// Where another file took the store's place, they are that file's as soon as it was read.
  public var model: DataModel { readers.model }
  let readers: StoreReaders
  let watch: StoreWatch

  /// Opens a store.
  ///
  /// - Parameters:
  ///   - location: The store.
  ///   - model: A model to read it with, where the store does not hold its own.
  /// - Throws: `DecantError` of the family `.storeNotFound`, `.corruptStore` or `.modelMismatch`.
  public convenience init(_ location: StoreLocation, model: String? = nil) throws(DecantError) {
    self.init(location, try StoreReaders(location, Self.options(model)))
  }

  /// Opens a store on a thread of its own: an archive is unpacked for that.
  ///
  /// - Parameters:
  ///   - location: The store.
  ///   - model: A model to read it with, where the store does not hold its own.
  /// - Throws: `DecantError` of the family `.storeNotFound`, `.corruptStore` or `.modelMismatch`.
  public convenience init(_ location: StoreLocation, model: String? = nil) async throws(DecantError) {
    self.init(location, try await StoreReaders.opened(location, Self.options(model)))
  }

  init(_ location: StoreLocation, _ readers: StoreReaders) {
    self.location = location
    self.readers = readers
    watch = StoreWatch(readers)
  }

  private static func options(_ model: String?) -> CopyOptions {
    var options = CopyOptions()
    options.model = model
    return options
  }

  /// All objects of an entity that is known as a Swift type, those of entities below it included.
  public func objects<Object: EntityObject>(_ type: Object.Type) -> Objects<Object> {
    Objects(self, ObjectRequest(entity: Object.entity))
  }

  /// All objects of the entity `name`, those of entities below it included.
  ///
  /// A name that the model lacks is an error when the objects are read.
  public func objects(_ name: String) -> Objects<StoreRecord> { Objects(self, ObjectRequest(entity: name)) }

  /// The objects that a to-many relationship leads to, in the order of the list where it has one.
  ///
  /// - Parameters:
  ///   - type: The type of these objects.
  ///   - owner: The object whose relationship it is.
  ///   - relationship: Its name.
  /// - Returns: The objects; an unknown name is an error when they are read.
  public func objects<Object: EntityObject, Owner: EntityObject>(
    _ type: Object.Type,
    of owner: ObjectID<Owner>,
    _ relationship: String
  ) -> Objects<Object> {
    var request = ObjectRequest(entity: Object.entity)
    request.owner = ObjectRequest.Owner(entity: Owner.entity, keys: [owner.key], relationship: relationship)
    return Objects(self, request)
  }

  /// The object with this key; `nil` where there is none.
  public func object<Object: EntityObject>(_ id: ObjectID<Object>) throws(DecantError) -> Object? {
    try objects(Object.self).object(id)
  }
}
