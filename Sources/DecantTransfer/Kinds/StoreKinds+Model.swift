internal import DecantCoreData
package import DecantBase
package import DecantPlan
internal import DecantStore

extension StoreKinds {
  /// Reads the model at `text`: that of a store, or a `.momd`, `.mom`, `.xcdatamodeld` or `.xcdatamodel`.
  ///
  /// - Throws: `DecantError` of the family `.storeNotFound`, `.corruptStore` or `.modelMismatch`.
  package func model(at text: String, options: CopyOptions = CopyOptions()) throws(DecantError) -> Model {
    let location = location(text)
    let isFile = FileStatus(location.place)?.isFile == true
    let isModel = [".mom", ".xml"].contains { location.place.lowercased().hasSuffix($0) }
    guard location.kind != nil || isFile && !isModel else { return try ModelLocation(text).read() }
    return try openSource(location, options: options).model
  }
}
