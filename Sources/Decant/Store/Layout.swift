internal import SQLite

/// How a store lays its objects out in tables: what SQLite has to know to read or to write them.
///
/// Source and destination describe themselves in the same words, so that a plan is made by matching
/// meanings: every column of the destination is filled from the source's column that means the same.
public struct Layout: Sendable, Hashable {
  /// One for each root entity that has a place in the store, in the model's order.
  public var relations: [Relation]
  /// One for each relationship that has a table of its own.
  public var linkRelations: [LinkRelation]
  /// Links by values that are no keys of integers: they lead to whichever row has the same values.
  public var valueLinks: [ValueLink] = []
  /// Everything else that travels into a new store.
  public var plainTables: [PlainTable]

  /// Describes a store of these tables; without link relations every link is a column.
  public init(
    relations: [Relation],
    linkRelations: [LinkRelation] = [],
    plainTables: [PlainTable] = []
  ) {
    self.relations = relations
    self.linkRelations = linkRelations
    self.plainTables = plainTables
  }

  /// Returns the relation that holds the objects of `root` and of everything below it.
  public func relation(of root: String) -> Relation? {
    relations.first { $0.root == root }
  }

  /// Returns the name of the concrete entity with `code`, in whichever relation it is.
  func name(of code: Int64?) -> String? {
    relations.lazy.flatMap(\.entities).first { $0.code == code }?.name
  }
}

/// The objects of a root entity and of its sub-entities, as one table.
public struct Relation: Sendable, Hashable {
  /// The root entity's name.
  public var root: String
  /// The table's name, unquoted, without schema.
  public var table: String
  /// By what a row is told from others.
  public var key: RowKey
  /// Whether the store's own triggers fill the table while others are written.
  public var isFilledByTriggers = false
  /// Whether triggers write to the table while others are written: it is filled before these.
  public var isWrittenByTriggers = false
  /// The name that relations share whose objects are numbered together; `nil` for a family of its own.
  ///
  /// A key means the same in all of them, as where the key of one is a link to another.
  public var keyFamily: String?
  /// The column that tells an object's concrete entity, or `nil` where all are of one.
  public var entityColumn: String?
  /// Whether `entityColumn` holds the entities' names, and no codes.
  public var namesEntities = false
  /// The concrete entities in the table, and the code that `entityColumn` holds for each.
  public var entities: [EntityCode]
  /// The table's columns but for key and entity: values, links, and what goes with a link.
  public var columns: [RelationColumn]

  /// A concrete entity and the number by which its objects are told apart.
  public struct EntityCode: Sendable, Hashable {
    /// The entity's name in the model.
    public var name: String
    /// The number in the entity column; two stores of one model may differ in it.
    public var code: Int64

    /// Pairs an entity with its number in one store.
    public init(name: String, code: Int64) {
      self.name = name
      self.code = code
    }
  }

  /// By what the rows of a table are told from one another.
  public enum RowKey: Sendable, Hashable {
    /// An integer, in this column: it names the object, is mapped by the ID table, and links hold it.
    case integer(column: String, isRowID: Bool)
    /// The values of these columns, by which batches go; they are values like any other.
    case values([String])
    /// Nothing: all rows are one batch.
    case none
  }

  /// The column with the integer that names an object; `nil` where none does.
  public var keyColumn: String? {
    guard case .integer(let column, _) = key else { return nil }
    return column
  }

  /// The key as SQL names it; NULL where rows have none that is an integer.
  public var keyName: String { keyColumn?.sqlName ?? "NULL" }

  /// How a plan copies the objects.
  var stepKind: CopyStep.Kind {
    switch key {
    case .integer: .objects(root: root)
    case .values(let key): .unkeyed(root: root, key: key)
    case .none: .unkeyed(root: root, key: [])
    }
  }

  /// Whether the key is the table's rowid, by which a value can be opened as a file can.
  public var hasRowNumbers: Bool {
    if case .integer(_, isRowID: true) = key { true } else { false }
  }

  /// The relations whose keys are numbered with this one's, by one name.
  public var family: String { keyFamily ?? root }

  /// Describes a table whose key is its rowid.
  public init(
    root: String,
    table: String,
    keyColumn: String,
    entityColumn: String?,
    entities: [EntityCode],
    columns: [RelationColumn]
  ) {
    self.init(
      root: root,
      table: table,
      key: .integer(column: keyColumn, isRowID: true),
      entityColumn: entityColumn,
      entities: entities,
      columns: columns
    )
  }

  /// Describes a table; `nil` for the entity's column where all objects are of one entity.
  public init(
    root: String,
    table: String,
    key: RowKey,
    entityColumn: String?,
    entities: [EntityCode],
    columns: [RelationColumn],
    keyFamily: String? = nil
  ) {
    self.root = root
    self.table = table
    self.key = key
    self.keyFamily = keyFamily
    self.entityColumn = entityColumn
    self.entities = entities
    self.columns = columns
  }

  /// The names of all entities that declare something here, abstract ones too.
  public var allEntities: Set<String> {
    let declaring = columns.compactMap { column -> String? in
      switch column.meaning {
      case .attribute(let property), .target(let property), .key(let property): property.entity
      case .targetEntity, .position, .owner, .ownerPosition, .unnamed, .revision: nil
      }
    }
    return Set(declaring + entities.map(\.name) + [root])
  }

  /// Returns the column that means `meaning`.
  public func column(_ meaning: Meaning) -> RelationColumn? {
    columns.first { $0.meaning == meaning }
  }

  /// Returns the code of the concrete entity `name`.
  public func code(of name: String) -> Int64? {
    entities.first { $0.name == name }?.code
  }
}

/// One column of a relation, and what it stands for.
public struct RelationColumn: Sendable, Hashable {
  /// The column's name in the table, unquoted.
  public var name: String
  /// What it stands for, and by which it finds its counterpart in another store.
  public var meaning: Meaning
  /// The codes of the entities whose objects have this property, or `nil` where all have.
  ///
  /// In the rows of other entities the column may hold anything: an in-place migration fills a new
  /// column in every row of the table.
  public var onlyIn: [Int64]?
  /// What the values are, for attributes.
  public var type: AttributeType?
  /// How the values are written in the column.
  public var encoding = ValueEncoding.asIs
  /// Whether large values lie in files of their own.
  public var isExternal: Bool
  /// What stands in front of such a value where it is held inline all the same.
  public var inlineMark: [UInt8] = []
  /// For links: the root entity of the object at the other end.
  public var targetRoot: String?
  /// For links: whether a value that leads nowhere stays as it is, where it can lead to no stranger.
  public var keepsStrangers: Bool
  /// For links: whether integers may stand there as text or with a fraction of nothing, as in a column
  /// that was declared so.
  public var holdsLooseIntegers = false
  /// Whether the table computes the values itself; they are read and never written.
  public var isGenerated = false
  /// For integers that are no declared links: the roots whose keys they might be, likeliest first.
  public var likelyTargets: [String]
  /// For the entity of a link's target: the codes it may hold.
  public var targetEntities: [Relation.EntityCode]

  /// Describes a column that objects of every entity in the table have, unless told otherwise.
  public init(
    name: String,
    meaning: Meaning,
    onlyIn: [Int64]? = nil,
    type: AttributeType? = nil,
    isExternal: Bool = false,
    targetRoot: String? = nil,
    targetEntities: [Relation.EntityCode] = [],
    keepsStrangers: Bool = false,
    likelyTargets: [String] = []
  ) {
    self.name = name
    self.meaning = meaning
    self.onlyIn = onlyIn
    self.type = type
    self.isExternal = isExternal
    self.targetRoot = targetRoot
    self.targetEntities = targetEntities
    self.keepsStrangers = keepsStrangers
    self.likelyTargets = likelyTargets
  }
}

/// What a column stands for in the model: the same in every store of the model.
public enum Meaning: Sendable, Hashable {
  /// A value. A leaf of a composite attribute is named `address.city`.
  case attribute(Property)
  /// The object's own key, where the table shows it under a name of its own.
  case key(Property)
  /// The key of the object a to-one relationship leads to.
  case target(Property)
  /// The concrete entity of that object.
  case targetEntity(Property)
  /// This object's place in the ordered list at the other end of a to-one relationship.
  case position(Property)
  /// The key of the object that holds this one in a to-many relationship without inverse.
  case owner(Property)
  /// This object's place in the ordered list of that owner.
  case ownerPosition(Property)
  /// A value of a column that belongs to no property of the model.
  case unnamed(String)
  /// How often the object was saved.
  case revision
}

/// A property by the entity that declares it and its own name.
public struct Property: Sendable, Hashable, CustomStringConvertible {
  /// The entity that declares the property, not one that inherits it.
  public var entity: String
  /// The property's own name; of a composite attribute's leaf the path to it, `address.city`.
  public var name: String

  /// Names a property; nothing is looked up in a model.
  public init(_ entity: String, _ name: String) {
    self.entity = entity
    self.name = name
  }

  /// Both names as errors and reports write them: `Recipe.title`.
  public var description: String { "\(entity).\(name)" }
}

/// The links of one relationship where they have a table of their own.
public struct LinkRelation: Sendable, Hashable {
  /// The relationship in whose direction the rows are read: from owner to target.
  public var relationship: Property
  /// The relationship that leads back, if there is one.
  public var inverse: Property?
  /// The table's name, unquoted, without schema.
  public var table: String
  /// The column that holds the owner's key.
  public var ownerColumn: String
  /// The column that holds the target's key.
  public var targetColumn: String
  /// The root entity whose keys are in `ownerColumn`.
  public var ownerRoot: String
  /// The root entity whose keys are in `targetColumn`.
  public var targetRoot: String
  /// The target's place in the owner's list, where that is ordered.
  public var positionColumn: String?
  /// The owner's place in the target's list, where that is ordered.
  public var inversePositionColumn: String?
  /// Whether both ends are one and the same relationship, so that a row stands for an undirected pair.
  public var isReflexive: Bool
  /// The condition, as SQL over the table, under which a row is a link; `nil` where all are.
  public var condition: String?
  /// The name by which its rowid can be asked for; `nil` for a table without rowids, whose primary key
  /// is made of the two ends, the owner first.
  public var rowID: String? = "rowid"
  /// Whether a row with an end that leads nowhere stays as it is, where it can lead to no stranger.
  public var keepsStrangers = false

  /// Describes a link table, read in the direction of `relationship`, without order at either end.
  public init(
    relationship: Property,
    inverse: Property?,
    table: String,
    ownerColumn: String,
    targetColumn: String,
    ownerRoot: String,
    targetRoot: String,
    positionColumn: String? = nil,
    inversePositionColumn: String? = nil,
    isReflexive: Bool = false
  ) {
    self.relationship = relationship
    self.inverse = inverse
    self.table = table
    self.ownerColumn = ownerColumn
    self.targetColumn = targetColumn
    self.ownerRoot = ownerRoot
    self.targetRoot = targetRoot
    self.positionColumn = positionColumn
    self.inversePositionColumn = inversePositionColumn
    self.isReflexive = isReflexive
  }

  /// The same links seen from the other end.
  public var reversed: LinkRelation? {
    guard let inverse else { return nil }
    var reversed = LinkRelation(
      relationship: inverse,
      inverse: relationship,
      table: table,
      ownerColumn: targetColumn,
      targetColumn: ownerColumn,
      ownerRoot: targetRoot,
      targetRoot: ownerRoot,
      positionColumn: inversePositionColumn,
      inversePositionColumn: positionColumn,
      isReflexive: isReflexive
    )
    reversed.rowID = rowID
    reversed.keepsStrangers = keepsStrangers
    return reversed
  }
}
