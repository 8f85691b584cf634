public import DecantBase
public import DecantStore
internal import DecantPlan
internal import DecantTransfer

/// An open store whose objects are read lazily, typed or by name.
///
/// Every kind of store that decant reads can be opened: Core Data, plain SQLite, archives. Reading never changes the
/// store. Each read sees one state of the store; reads run concurrently, on pooled connections.
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
  /// If the store's file is replaced, this is the new file's model after the next read.
  public var model: DataModel { readers.model }
  let readers: StoreReaders
  let writer: StoreWriter
  let watch: StoreWatch

  /// Opens a store.
  ///
  /// - Parameters:
  ///   - location: The store.
  ///   - model: The model, for a store that does not contain its own.
  /// - Throws: `DecantError` of the family `.storeNotFound`, `.corruptStore` or `.modelMismatch`.
  public convenience init(_ location: StoreLocation, model: String? = nil) throws(DecantError) {
    self.init(location, try StoreReaders(location, Self.options(model)))
  }

  /// Opens a store on a separate thread, because an archive has to be unpacked.
  ///
  /// - Parameters:
  ///   - location: The store.
  ///   - model: The model, for a store that does not contain its own.
  /// - Throws: `DecantError` of the family `.storeNotFound`, `.corruptStore` or `.modelMismatch`.
  public convenience init(_ location: StoreLocation, model: String? = nil) async throws(DecantError) {
    self.init(location, try await StoreReaders.opened(location, Self.options(model)))
  }

  init(_ location: StoreLocation, _ readers: StoreReaders) {
    self.location = location
    self.readers = readers
    watch = StoreWatch(readers)
    writer = StoreWriter(location, model: readers.options.model)
  }

  private static func options(_ model: String?) -> CopyOptions {
    var options = CopyOptions()
    options.model = model
    return options
  }
}

extension Store: ObjectSource {
  public var origin: ObjectOrigin { ObjectOrigin(store: self) }
}
