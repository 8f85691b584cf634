public import Decant
public import Foundation

// An open store, with bytes as `Data` and places as URLs; what the forms with bytes and texts say holds for these.

extension Store {
  /// Opens a store.
  public convenience init(_ url: URL, model: URL? = nil) async throws(DecantError) {
    try await self.init(url.decantPlace, model: model?.decantPlace)
  }

  /// The bytes of an attribute; `nil` where there are none.
  public func data<Object: EntityObject>(
    of id: ObjectID<Object>,
    _ field: (Object.Fields) -> Field<[UInt8]>
  ) async throws(DecantError) -> Data? {
    try await bytes(of: id, field).map { Data($0) }
  }

  /// The archive of objects, in memory.
  public func archiveData<Object>(_ objects: Objects<Object>, packed packing: ArchivePacking = .none)
    async throws(DecantError) -> Data
  {
    Data(try await archive(objects, packed: packing))
  }

  /// Takes the objects of an archive, and what comes with them, into this store: all of them or none.
  @discardableResult
  public func take(_ data: Data, rules: MergeRules = MergeRules(.skip)) async throws(DecantError) -> [CopyReport] {
    try await take([UInt8](data), rules: rules)
  }
}
