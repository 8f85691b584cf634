internal import DecantPropertyList

/// Reads the entities and properties from the copy of a model that Xcode keeps in a mapping model.
///
/// The copy is an archive of the editor's own classes. Only the names are used, to find the versions that the mapping
/// model was made for. Unreadable parts are ignored and do not count as damage.
///
/// - Source: mapping models as Xcode writes them; Formats, “Mapping models”.
enum RecordedProperties {
  private static let packageKey = "_xd_rootPackage"
  private static let entitiesKey = "XDBucketForClassesstorage"
  private static let propertiesKey = "XDBucketForOwnedAttributesstorage"

  /// Returns the names of own properties by entity; `nil` if the archive does not contain such a model.
  static func read(_ bytes: [UInt8]) -> [String: Set<String>]? {
    guard let root = try? KeyedArchive(bytes).root,
      let entities = root[packageKey]?[entitiesKey]?.dictionary,
      entities.count <= ModelAssembly.largestEntityCount
    else { return nil }
    var all: [String: Set<String>] = [:]
    var count = 0
    for (name, entity) in entities {
      let properties = entity[propertiesKey]?.entries ?? []
      count += properties.count
      guard count <= ModelAssembly.largestPropertyCount else { return nil }
      // A store has no data for fetched properties, and the other model readers omit them.
      let stored = properties.filter { $0.value.className?.contains("FetchedProperty") != true }
      all[name] = Set(stored.compactMap(\.key.string))
    }
    return all
  }
}
