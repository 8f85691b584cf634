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
  let writer: StoreWriter
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
