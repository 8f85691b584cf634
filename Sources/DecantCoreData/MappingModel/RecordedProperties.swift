internal import DecantPropertyList

/// Reads which entities and properties the copy of a model has that Xcode keeps in a mapping model.
///
/// The copy is an archive of the editor's own classes. Their names alone serve here: they tell for which versions the
/// mapping model was made. What cannot be read tells nothing, and is no damage of the mapping model.
///
/// - Source: mapping models as Xcode writes them; Formats, “Mapping models”.
enum RecordedProperties {
  private static let packageKey = "_xd_rootPackage"
  private static let entitiesKey = "XDBucketForClassesstorage"
  private static let propertiesKey = "XDBucketForOwnedAttributesstorage"

  /// Returns the names of own properties by entity; `nil` where the archive is none of such a model.
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
      // A store holds nothing of fetched properties, and no other reader of models tells of them.
      let stored = properties.filter { $0.value.className?.contains("FetchedProperty") != true }
      all[name] = Set(stored.compactMap(\.key.string))
    }
    return all
  }
}
