public import DecantBase

/// The content of a store: its identity, model, objects, links, leftovers and problems.
///
/// It is read in one pass and one read transaction, or only counted; it contains counts and sizes, but no values.
public struct Inspection: Sendable, Hashable {
  /// Kind, place and identifier of the store.
  public var identity: StoreIdentity
  /// Its size on disk: the file, its log, and the external files.
  public var size: StoreSize
  /// The identifiers the developer gave this version of the model.
  public var versionIdentifiers: [String]
  /// The entities in the model's order: parents before their subentities.
  public var entities: [EntityInspection]
  /// Whether the model describes links; otherwise all link counts are 0 and have no meaning.
  public var knowsLinks: Bool
  /// Whether everything was read; otherwise only objects and rows were counted: all other counts are 0 and have no
  /// meaning, and problems are unknown.
  public var isComplete: Bool
  /// The external values, by attribute and entity.
  public var externalFiles: [ExternalFileCounts]
  /// The facts that the kind of store knows beyond tables and rows.
  public var facts: StoreFacts
  /// The app's own tables, without objects, links or sync metadata.
  public var otherTables: [OtherTable]
  /// The number of triggers in the database.
  public var triggerCount: Int64
  /// Whether SQLite's quick check found the database sound, or was not run.
  public var isSound: Bool
  /// The problems of the store; empty for most.
  public var problems: [StoreProblem]
  /// Notes for the reader.
  public var notes: [ReportNote]

  /// Describes the content of a store.
  package init(
    identity: StoreIdentity,
    size: StoreSize,
    versionIdentifiers: [String],
    entities: [EntityInspection],
    knowsLinks: Bool,
    isComplete: Bool = true,
    externalFiles: [ExternalFileCounts],
    facts: StoreFacts,
    otherTables: [OtherTable],
    triggerCount: Int64,
    isSound: Bool,
    problems: [StoreProblem],
    notes: [ReportNote]
  ) {
    (self.identity, self.size, self.versionIdentifiers) = (identity, size, versionIdentifiers)
    (self.entities, self.externalFiles) = (entities, externalFiles)
    (self.knowsLinks, self.isComplete) = (knowsLinks, isComplete)
    (self.facts, self.otherTables, self.triggerCount) = (facts, otherTables, triggerCount)
    (self.isSound, self.problems, self.notes) = (isSound, problems, notes)
  }

  /// The number of objects in the store.
  public var objectCount: Int64 { entities.reduce(0) { $0 + $1.objectCount } }

  /// The number of links, each counted once, as in a copy.
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
        // The inverse is declared by the destination or by one of its superentities.
        var names: [String] = []
        var next: String? = relationship.destination
        while let name = next, names.count <= entities.count {
          names.append("\(name).\(inverse)")
          next = self[name]?.superentity
        }
        seen.formUnion(names)
        // In a relationship that is its own inverse both objects of a pair have the link.
        let isReflexive =
          relationship.isToMany && relationship.name == inverse
          && names.contains("\(entity.name).\(relationship.name)")
        count += isReflexive ? end.rowCount : end.linkCount
      }
    }
    return count
  }

  /// The number of links, each counted at both ends if both have a relationship.
  public var linkEndCount: Int64 {
    entities.flatMap(\.relationships).reduce(0) { $0 + $1.linkCount }
  }

  /// The number of links whose target does not exist.
  public var danglingCount: Int64 {
    entities.flatMap(\.relationships).reduce(0) { $0 + $1.danglingCount }
  }

  /// Returns the entity named `name`.
  public subscript(name: String) -> EntityInspection? {
    entities.first { $0.name == name }
  }
}

/// One of the app's own tables in a store.
public struct OtherTable: Sendable, Hashable {
  /// The table's name, unquoted, without schema.
  public var name: String
  /// The number of its rows.
  public var rowCount: Int64

  /// Describes a table.
  package init(name: String, rowCount: Int64) {
    (self.name, self.rowCount) = (name, rowCount)
  }
}

/// The size of a store on disk, in bytes.
public struct StoreSize: Sendable, Hashable {
  /// The main file.
  public var database: Int64
  /// The write-ahead log beside it.
  public var log: Int64
  /// The external files of values.
  public var externalFiles: Int64
  /// The page size of the database; `nil` if the file is not a database.
  public var page: Int64?

  /// Describes a size.
  package init(database: Int64, log: Int64, externalFiles: Int64, page: Int64? = nil) {
    (self.database, self.log, self.externalFiles, self.page) = (database, log, externalFiles, page)
  }

  /// The total size.
  public var total: Int64 { database + log + externalFiles }
}

/// One entity of a store, with counts of its objects.
public struct EntityInspection: Sendable, Hashable {
  /// The entity's name in the model.
  public var name: String
  /// The entity it inherits from, or `nil` for a root entity.
  public var superentity: String?
  /// The number of entities it inherits from, directly or indirectly.
  public var depth: Int
  /// Whether objects exist only of its subentities.
  public var isAbstract: Bool
  /// The number of objects of exactly this entity, without those of subentities.
  public var objectCount: Int64 = 0
  /// The number of objects of its subentities, whose attributes and relationships are counted here too.
  public var subentityObjectCount: Int64 = 0
  /// The size of these objects' values in bytes, including inherited ones; a number counts 8.
  public var byteCount: Int64 = 0
  /// The size of their binary and transformable values in bytes, which are usually pictures.
  ///
  /// External files are included. `byteCount` does not include them.
  public var binaryByteCount: Int64 = 0
  /// The attributes the entity declares itself, counted over all objects that inherit them.
  public var attributes: [AttributeInspection]
  /// The relationships the entity declares itself, counted in the same way.
  public var relationships: [RelationshipInspection]
  /// The attributes that may identify an object, best first.
  public var identityCandidates: [IdentityCandidate] = []
  /// Whether its values and links were counted; otherwise these counts are 0 and have no meaning.
  public var isComplete = true

  /// Describes an entity, by default without objects.
  package init(
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

/// An attribute, with counts of its values in a store.
public struct AttributeInspection: Sendable, Hashable {
  /// The attribute as the model describes it.
  public var attribute: ModelAttribute
  /// The number of objects with a value.
  public var valueCount: Int64 = 0
  /// The stored size of these values in bytes.
  public var byteCount: Int64 = 0
  /// Whether they were counted; otherwise both counts are 0 and have no meaning.
  public var isComplete = true

  /// Describes an attribute, by default without values.
  package init(attribute: ModelAttribute, valueCount: Int64 = 0, byteCount: Int64 = 0) {
    (self.attribute, self.valueCount, self.byteCount) = (attribute, valueCount, byteCount)
  }
}

/// A relationship, with counts of its links in a store.
public struct RelationshipInspection: Sendable, Hashable {
  /// The relationship as the model describes it.
  public var relationship: ModelRelationship
  /// The action of a plain database's foreign key on the row with the link when its target is deleted; `nil` for
  /// relationships of a model, whose delete rule is that of the inverse.
  public var onDelete: DeleteRule?
  /// The number of links whose two ends exist.
  public var linkCount: Int64 = 0
  /// The number of links whose target does not exist.
  public var danglingCount: Int64 = 0
  /// The number of rows of a relationship that is its own inverse, which stores a pair once or in both directions.
  public var rowCount: Int64 = 0
  /// Whether they were counted; otherwise all counts are 0 and have no meaning.
  public var isComplete = true

  /// Describes a relationship, by default without links.
  package init(
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

/// Attributes that may identify the objects of an entity.
public struct IdentityCandidate: Sendable, Hashable {
  /// The evidence for a candidate.
  public enum Reason: String, Sendable, Hashable {
    /// A uniqueness constraint of the model.
    case constraint
    /// The name suggests a key, and every object has a different value.
    case values
  }

  /// The attributes' names; several identify an object only together.
  public var attributes: [String]
  /// The evidence that these attributes are unique.
  public var reason: Reason

  /// Describes a candidate of one entity.
  package init(attributes: [String], reason: Reason) {
    self.attributes = attributes
    self.reason = reason
  }
}
