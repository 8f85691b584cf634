import Foundation

/// What `expected.json` says of a store: the ground truth that an independent reader found.
public struct GroundTruth: Sendable {
  public let name: String
  /// The main file, relative to the folder of the stores.
  public let file: String
  /// Objects by concrete entity, abstract ones left out.
  public let counts: [String: Int]
  public let entities: [String: Entity]
  public let links: Int
  public let dangling: Int
  /// The model to read the store with, where it does not hold its own.
  public let model: String?

  /// The names of all stores.
  public static let names: [String] = {
    guard let file = Fixtures.stores?.appendingPathComponent("expected.json"),
      let data = try? Data(contentsOf: file),
      let all = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
    else { return [] }
    return all.keys.sorted()
  }()

  /// The names of every third store, from the one at `start` on; of all stores with `DECANT_SLOW=1`.
  ///
  /// Tests that take long begin at different ones, so that each store is in some of them.
  public static func names(from start: Int) -> [String] {
    names.enumerated().filter { Effort.isThorough || $0.offset % 3 == start }.map(\.element)
  }

  public struct Entity: Sendable {
    public let parent: String?
    public let isAbstract: Bool
    public let relationships: [String: Relationship]
  }

  public struct Relationship: Sendable {
    public let target: String
    public let inverse: String?
    public let isToMany: Bool
    public let isOrdered: Bool
    public let links: Int
  }

  /// Reads the entry of the store `name`.
  public init(of name: String) throws {
    guard let folder = Fixtures.stores else { throw CocoaError(.fileNoSuchFile) }
    let data = try Data(contentsOf: folder.appendingPathComponent("expected.json"))
    guard let all = try JSONSerialization.jsonObject(with: data) as? [String: [String: Any]],
      let entry = all[name], let file = entry["file"] as? String,
      let raw = entry["entities"] as? [String: [String: Any]]
    else { throw CocoaError(.propertyListReadCorrupt) }
    self.name = name
    self.file = file
    links = entry["links"] as? Int ?? 0
    dangling = entry["dangling"] as? Int ?? 0
    let place = (entry["model"] as? String ?? "").components(separatedBy: " · ")
    model = place.count == 2 ? "\(folder.path)/\(place[0])#\(place[1])" : nil
    entities = raw.mapValues(Entity.init)
    let concrete = raw.filter { $0.value["abstract"] as? Bool != true }
    counts = concrete.mapValues { $0["count"] as? Int ?? 0 }
  }

  /// The entity at the top of the tree in which `entity` stands.
  public func root(of entity: String) -> String {
    var name = entity
    while let parent = entities[name]?.parent { name = parent }
    return name
  }

  /// The links that are stored as a key beside an object: of every to-one relationship, and of to-many
  /// ones without inverse.
  public var storedLinks: Int {
    entities.values.flatMap(\.relationships.values).reduce(0) { sum, relationship in
      relationship.isToMany && relationship.inverse != nil ? sum : sum + relationship.links
    }
  }

  /// Reads what `path`, a store of this model, holds: with the `sqlite3` program.
  public func content(of path: String) throws -> StoreContent {
    let tables = Set(entities.keys.map { table(of: $0) }).sorted()
    var links: [StoreContent.Link] = []
    for (name, entity) in entities {
      for (relationship, end) in entity.relationships where !end.isToMany {
        let column = "Z" + relationship.uppercased()
        links.append(StoreContent.Link(table(of: name), column, table(of: end.target)))
      }
    }
    return try StoreContent(path, tables: tables, links: links)
  }

  private func table(of entity: String) -> String { "Z" + root(of: entity).uppercased() }
}

extension GroundTruth.Entity {
  fileprivate init(_ raw: [String: Any]) {
    parent = raw["super"] as? String
    isAbstract = raw["abstract"] as? Bool ?? false
    let relationships = raw["relationships"] as? [String: [String: Any]] ?? [:]
    self.relationships = relationships.mapValues { raw in
      GroundTruth.Relationship(
        target: raw["to"] as? String ?? "",
        inverse: raw["inverse"] as? String,
        isToMany: raw["many"] as? Bool ?? false,
        isOrdered: raw["ordered"] as? Bool ?? false,
        links: raw["links"] as? Int ?? 0
      )
    }
  }
}
