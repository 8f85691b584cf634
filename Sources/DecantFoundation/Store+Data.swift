public import Decant
public import Foundation

// An open store, with bytes as `Data` and places as URLs; the documentation of the byte and text forms applies.

extension Store {
  /// Opens a store.
  public convenience init(_ url: URL, model: URL? = nil) async throws(DecantError) {
    try await self.init(url.decantPlace, model: model?.decantPlace)
  }

  /// Returns the bytes of an attribute, or `nil` if it has none.
  public func data<Object: EntityObject>(
    of id: ObjectID<Object>,
    _ field: (Object.Fields) -> Field<[UInt8]>
  ) async throws(DecantError) -> Data? {
    try await bytes(of: id, field).map { Data($0) }
  }

  /// Returns the archive of objects, in memory.
  public func archiveData<Object>(_ objects: Objects<Object>, packed packing: ArchivePacking = .none)
    async throws(DecantError) -> Data
  {
    Data(try await archive(objects, packed: packing))
  }

  /// Imports the objects of an archive, and their related objects, into this store: all or none.
  @discardableResult
  public func take(_ data: Data, rules: MergeRules = MergeRules(.skip)) async throws(DecantError) -> ImportReport {
    try await take([UInt8](data), rules: rules)
  }
}
