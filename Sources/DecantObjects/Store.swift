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
  public let model: DataModel
  let readers: StoreReaders
  let writer: StoreWriter

  /// Opens a store.
  ///
  /// - Parameters:
  ///   - location: The store; a string literal is read as on the command line: `Kitchen.sqlite`, `sqlite:notes.db`.
  ///   - model: A model to read it with, where the store does not hold its own.
  /// - Throws: `DecantError` of the family `.storeNotFound`, `.corruptStore` or `.modelMismatch`.
  public init(_ location: StoreLocation, model: String? = nil) throws(DecantError) {
    var options = CopyOptions()
    options.model = model
    let readers = try StoreReaders(location, options)
    self.location = location
    self.model = readers.model
    self.readers = readers
    writer = StoreWriter(location, model: model)
  }
}

extension Store: ObjectSource {
  public func objects<Object: EntityObject>(_ type: Object.Type) -> Objects<Object> {
    Objects(self, ObjectRequest(entity: Object.entity))
  }

  public func objects(_ name: String) -> Objects<StoreRecord> { Objects(self, ObjectRequest(entity: name)) }

  public func objects<Object: EntityObject, Owner: EntityObject>(
    _ type: Object.Type,
    of owner: ObjectID<Owner>,
    _ relationship: String
  ) -> Objects<Object> {
    Objects(self, .leading(from: owner, relationship, to: Object.entity))
  }
}
