public import DecantBase

/// What a store holds: where it is, its model, its objects and links, what is left over, what is wrong.
///
/// Made by reading the store once, in one read transaction; no value of an object is kept, only
/// counts and bytes.
public struct Inspection: Sendable, Hashable {
  /// Kind, place and identifier of the store.
  public var identity: StoreIdentity
  /// What it takes on disk: the file, its log, and the files of values.
  public var size: StoreSize
  /// The identifiers the developer gave this version of the model.
  public var versionIdentifiers: [String]
  /// The entities in the model's order: parents before their sub-entities.
  public var entities: [EntityInspection]
  /// Whether the model says what a link is; else all link counts are 0 and mean nothing.
  public var knowsLinks: Bool
  /// The values that lie in files beside the store, by attribute and entity.
  public var externalFiles: [ExternalFileCounts]
  /// What the kind of store knows beyond tables and rows.
  public var facts: StoreFacts
  /// The tables that hold neither objects nor links nor what syncing left: an app's own.
  public var otherTables: [OtherTable]
  /// How many triggers the database has.
  public var triggerCount: Int64
  /// Whether SQLite's quick check found the database sound.
  public var isSound: Bool
  /// What is wrong with the store; empty for most.
  public var problems: [StoreProblem]
  /// What a reader should know besides.
  public var notes: [ReportNote]

  /// Describes what a store holds.
  public init(
    identity: StoreIdentity,
    size: StoreSize,
    versionIdentifiers: [String],
    entities: [EntityInspection],
    knowsLinks: Bool,
    externalFiles: [ExternalFileCounts],
    facts: StoreFacts,
    otherTables: [OtherTable],
    triggerCount: Int64,
    isSound: Bool,
    problems: [StoreProblem],
    notes: [ReportNote]
  ) {
    (self.identity, self.size, self.versionIdentifiers) = (identity, size, versionIdentifiers)
    (self.entities, self.knowsLinks, self.externalFiles) = (entities, knowsLinks, externalFiles)
    (self.facts, self.otherTables, self.triggerCount) = (facts, otherTables, triggerCount)
    (self.isSound, self.problems, self.notes) = (isSound, problems, notes)
  }

  /// How many objects the store holds.
  public var objectCount: Int64 { entities.reduce(0) { $0 + $1.objectCount } }

  /// How many links there are, each counted once, as a copy counts them.
  public var linkCount: Int64 {
    var count: Int64 = 0
    var seen: Set<String> = []
    for entity in entities {
      for end in entity.relationships {
        let relationship = end.relationship
        guard !seen.contains("\(entity.name).\(relationship.name)") else { continue }
        guard let inverse = relationship.inverse else {
          count += end.linkCount
          continue
        }
        // The inverse is declared by the destination or by something above it.
        var names: [String] = []
        var next: String? = relationship.destination
        while let name = next, names.count <= entities.count {
          names.append("\(name).\(inverse)")
          next = self[name]?.superentity
        }
        seen.formUnion(names)
        // Of a relationship that is its own inverse both objects of a pair have the link.
        let isReflexive =
          relationship.isToMany && relationship.name == inverse
          && names.contains("\(entity.name).\(relationship.name)")
        count += isReflexive ? end.rowCount : end.linkCount
      }
    }
    return count
  }

  /// How many links there are, each counted at either end where both ends have a relationship.
  public var linkEndCount: Int64 {
    entities.flatMap(\.relationships).reduce(0) { $0 + $1.linkCount }
  }

  /// How many links lead to objects that are not there.
  public var danglingCount: Int64 {
    entities.flatMap(\.relationships).reduce(0) { $0 + $1.danglingCount }
  }

  /// Returns the entity named `name`.
  public subscript(name: String) -> EntityInspection? {
    entities.first { $0.name == name }
  }
}

/// A table of an app's own in a store.
public struct OtherTable: Sendable, Hashable {
  /// The table's name, unquoted, without schema.
  public var name: String
  /// How many rows it has.
  public var rowCount: Int64

  /// Counts the rows of a table.
  public init(name: String, rowCount: Int64) {
    (self.name, self.rowCount) = (name, rowCount)
  }
}

/// How many bytes a store takes on disk.
public struct StoreSize: Sendable, Hashable {
  /// The main file.
  public var database: Int64
  /// The write-ahead log beside it.
  public var log: Int64
  /// Values that lie in files of their own.
  public var externalFiles: Int64
  /// The size of the database's pages; `nil` where the file is no database.
  public var page: Int64?

  /// Says how many bytes there are.
  public init(database: Int64, log: Int64, externalFiles: Int64, page: Int64? = nil) {
    (self.database, self.log, self.externalFiles, self.page) = (database, log, externalFiles, page)
  }

  /// All of it together.
  public var total: Int64 { database + log + externalFiles }
}

/// One entity of a store, with what its objects hold.
public struct EntityInspection: Sendable, Hashable {
  /// The entity's name in the model.
  public var name: String
  /// The entity it inherits from, or `nil` for a root entity.
  public var superentity: String?
  /// How many entities it inherits from, directly or not.
  public var depth: Int
  /// Whether no object is of exactly this entity.
  public var isAbstract: Bool
  /// The objects of exactly this entity; those of sub-entities are counted there.
  public var objectCount: Int64 = 0
  /// The objects of its sub-entities, which have the attributes and relationships counted here too.
  public var subentityObjectCount: Int64 = 0
  /// The bytes of these objects' values, inherited ones included; a number counts 8.
  public var byteCount: Int64 = 0
  /// The bytes of their binary and transformable values, which as a rule are pictures.
  ///
  /// Files beside the store are included. Not part of `byteCount`.
  public var binaryByteCount: Int64 = 0
  /// The attributes the entity declares itself, counted over all objects that inherit them.
  public var attributes: [AttributeInspection]
  /// The relationships the entity declares itself, counted in the same way.
  public var relationships: [RelationshipInspection]
  /// What may tell one object from another, best first.
  public var identityCandidates: [IdentityCandidate] = []

  /// Describes an entity without objects, unless told otherwise.
  public init(
    name: String,
    superentity: String? = nil,
    depth: Int,
    isAbstract: Bool,
    objectCount: Int64 = 0,
    subentityObjectCount: Int64 = 0,
    byteCount: Int64 = 0,
    binaryByteCount: Int64 = 0,
    attributes: [AttributeInspection],
    relationships: [RelationshipInspection],
    identityCandidates: [IdentityCandidate] = []
  ) {
    (self.name, self.superentity, self.depth) = (name, superentity, depth)
    (self.isAbstract, self.objectCount) = (isAbstract, objectCount)
    (self.subentityObjectCount, self.byteCount) = (subentityObjectCount, byteCount)
    (self.binaryByteCount, self.attributes) = (binaryByteCount, attributes)
    (self.relationships, self.identityCandidates) = (relationships, identityCandidates)
  }
}

/// An attribute, and how much of it a store holds.
public struct AttributeInspection: Sendable, Hashable {
  /// The attribute as the model describes it.
  public var attribute: ModelAttribute
  /// How many objects have a value.
  public var valueCount: Int64 = 0
  /// The bytes of these values, as they are stored.
  public var byteCount: Int64 = 0

  /// Describes an attribute without values, unless told otherwise.
  public init(attribute: ModelAttribute, valueCount: Int64 = 0, byteCount: Int64 = 0) {
    (self.attribute, self.valueCount, self.byteCount) = (attribute, valueCount, byteCount)
  }
}

/// A relationship, and how many links of it a store holds.
public struct RelationshipInspection: Sendable, Hashable {
  /// The relationship as the model describes it.
  public var relationship: ModelRelationship
  /// What a foreign key of a plain database says becomes of the row that holds the link when the one it leads to is deleted;
  /// `nil` for relationships of a model, whose delete rule is the inverse's.
  public var onDelete: DeleteRule?
  /// The links whose two ends are there.
  public var linkCount: Int64 = 0
  /// The links that lead to an object that is not there.
  public var danglingCount: Int64 = 0
  /// The rows of a relationship that is its own inverse, which stores a pair once or in both directions.
  public var rowCount: Int64 = 0

  /// Describes a relationship without links, unless told otherwise.
  public init(
    relationship: ModelRelationship,
    onDelete: DeleteRule? = nil,
    linkCount: Int64 = 0,
    danglingCount: Int64 = 0,
    rowCount: Int64 = 0
  ) {
    (self.relationship, self.onDelete, self.linkCount) = (relationship, onDelete, linkCount)
    (self.danglingCount, self.rowCount) = (danglingCount, rowCount)
  }
}

/// Attributes by which the objects of an entity can be told apart.
public struct IdentityCandidate: Sendable, Hashable {
  /// What speaks for a candidate.
  public enum Reason: String, Sendable, Hashable {
    /// The model says that no two objects agree in these attributes.
    case constraint
    /// The name suggests a key, and every object has a value of its own.
    case values
  }

  /// The attributes' names; several tell objects apart only together.
  public var attributes: [String]
  /// Why these attributes may be trusted to differ.
  public var reason: Reason

  /// Names a candidate of one entity, which stands beside it in `EntityInspection`.
  public init(attributes: [String], reason: Reason) {
    self.attributes = attributes
    self.reason = reason
  }
}
