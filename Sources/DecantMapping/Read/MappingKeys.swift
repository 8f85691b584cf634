/// The valid keys of one kind of map in a mapping file.
protocol MappingKey: RawRepresentable<String>, CaseIterable, Sendable {
  /// The owner of the keys, such as “an entity”.
  static var owner: String { get }
}

/// All keys of a mapping file, for reading, for suggestions in errors, and for the manual's page “The mapping file”.
enum MappingKeys {
  enum Root: String, MappingKey {
    static let owner = "a mapping"
    case decant, contract, defaults, namespace, entities, relationships, share
  }

  enum Contract: String, MappingKey {
    static let owner = "“contract”"
    case entities, attributes
  }

  enum Defaults: String, MappingKey {
    static let owner = "“defaults”"
    case merge, missing, duplicates, rejects
  }

  enum Merge: String, MappingKey {
    static let owner = "“merge”"
    case policy, by, keep
  }

  enum Rejects: String, MappingKey {
    static let owner = "“rejects”"
    case max, rate
  }

  enum Entity: String, MappingKey {
    static let owner = "an entity"
    case from, `where`, identity, generate, merge, set, drop, anonymize
  }

  enum Generator: String, MappingKey {
    static let owner = "a generator"
    case uuid5
  }

  enum Relationship: String, MappingKey {
    static let owner = "a relationship"
    case rule, missing, depth, `where`
  }

  enum Share: String, MappingKey {
    static let owner = "a share"
    case roots, strip, max
  }

  enum Bounds: String, MappingKey {
    static let owner = "“max”"
    case objects, bytes
  }

  static let all: [any MappingKey.Type] = [
    Root.self, Contract.self, Defaults.self, Merge.self, Rejects.self, Entity.self, Generator.self,
    Relationship.self, Share.self, Bounds.self,
  ]
}

extension MappingKey {
  /// The keys as written, in the order of the manual.
  static var names: [String] { allCases.map(\.rawValue) }
}
