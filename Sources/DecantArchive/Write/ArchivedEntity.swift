internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantJSON
internal import DecantSQLite

/// A concrete entity as an archive writes it: which column of its table becomes what in a line.
struct ArchivedEntity {
  let name: String
  let relation: Relation
  /// The entity's number in the store; the names of all entities' numbers are in `relation`.
  let code: Int64
  var values: [Value] = []
  /// Columns that belong to no property of the model.
  var others: [Value] = []
  var links: [Link] = []
  /// Links that are kept with this object, and belong to a list of another one.
  var owners: [Link] = []
  /// Links in tables of their own, of which this object is the owner.
  var lists: [LinkRelation] = []
  var revision: RelationColumn?
  /// Places in `values` of what tells the objects apart; empty where the model does not say.
  var key: [Int] = []

  /// A column that holds a value.
  struct Value {
    let name: String
    let column: RelationColumn
    let coding: ValueCoding
  }

  /// A column that holds a link, with what stands beside it.
  struct Link {
    let name: String
    let property: Property
    let column: RelationColumn
    var entity: RelationColumn?
    var position: RelationColumn?
    /// The entity that the model names; a target of another one is named in the line.
    var destination: String
  }

  init(_ entity: Relation.EntityCode, in relation: Relation, of source: any SourceStore) {
    name = entity.name
    self.relation = relation
    code = entity.code
    let model = source.model
    let isTyped = !model.isFromTables
    let lineage = Set(model.lineage(of: entity.name).map(\.name))
    for column in relation.columns {
      if let codes = column.onlyIn, !codes.contains(entity.code) { continue }
      switch column.columnRole {
      case .attribute(let property):
        // A view of mapped objects does not say which entities have a column: the model does.
        guard lineage.contains(property.entity) || column.onlyIn == nil && !isTyped else {
          continue
        }
        values.append(Value(name: property.name, column: column, coding: ValueCoding(column, isTyped: isTyped)))
      case .unnamed(let name):
        others.append(Value(name: name, column: column, coding: .asStored))
      case .target(let property):
        // Its row's value tells it all: whoever reads the archive names the condition again.
        guard !column.isConditional else { continue }
        links.append(
          Link(
            name: property.name,
            property: property,
            column: column,
            entity: relation.column(.targetEntity(property)),
            position: relation.column(.position(property)),
            destination: model.relationship(property)?.destination ?? column.targetRoot ?? ""
          )
        )
      case .owner(let property):
        owners.append(
          Link(
            name: property.description,
            property: property,
            column: column,
            position: relation.column(.ownerPosition(property)),
            destination: property.entity
          )
        )
      case .revision: revision = column
      case .key, .targetEntity, .position, .ownerPosition: continue
      }
    }
    lists = source.layout.linkRelations.filter { $0.ownerRoot == relation.root }
    let unique = model.lineage(of: entity.name).flatMap(\.uniquenessConstraints).first { names in
      names.allSatisfy { name in values.contains { $0.name == name } }
    }
    key = unique?.compactMap { name in values.firstIndex { $0.name == name } } ?? []
  }

  /// Whether `list` is this entity's own, and not that of a sibling in the same table.
  func owns(_ list: LinkRelation, in model: Model) -> Bool {
    model.lineage(of: name).contains { $0.name == list.relationship.entity }
  }

  /// Whether an integer names the objects; else they are numbered as they come.
  var hasKey: Bool { relation.keyColumn != nil }
}

/// What is done about a value that is written or read.
enum ValueCoding {
  /// Its storage class tells all.
  case asStored
  /// A whole number 0 or 1 is `false` or `true`.
  case boolean
  /// A number is a date.
  case date
  /// A number is written as decimal digits.
  case decimal
  /// Sixteen bytes are a UUID.
  case uuid
  /// A text is a URI.
  case uri

  /// The coding of a column; where types are only what columns were declared with, none is relied on.
  init(_ column: RelationColumn, isTyped: Bool) {
    guard isTyped, let type = column.type else {
      self = .asStored
      return
    }
    self.init(type)
  }

  init(_ type: AttributeType) {
    switch type {
    case .boolean: self = .boolean
    case .date: self = .date
    case .decimal: self = .decimal
    case .uuid: self = .uuid
    case .uri: self = .uri
    case .undefined, .integer16, .integer32, .integer64, .double, .float, .string, .binary,
      .transformable, .objectID, .composite:
      self = .asStored
    }
  }
}
