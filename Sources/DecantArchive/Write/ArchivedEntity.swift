internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantJSON
internal import DecantSQLite

/// A concrete entity in an archive: maps the columns of its table to the members of a line.
struct ArchivedEntity {
  let name: String
  let relation: Relation
  /// The number of the entity in the store; `relation` has the names for all numbers.
  let code: Int64
  var values: [Value] = []
  /// Columns outside the model.
  var others: [Value] = []
  var links: [Link] = []
  /// Links stored with this object that belong to a list of another one.
  var owners: [Link] = []
  /// Links in separate tables, of which this object is the owner.
  var lists: [LinkRelation] = []
  var revision: RelationColumn?
  /// Positions in `values` of the identifying attributes; empty if the model defines none.
  var key: [Int] = []

  /// A column that holds a value.
  struct Value {
    let name: String
    let column: RelationColumn
    let coding: ValueCoding
  }

  /// A column that holds a link, with its accompanying columns.
  struct Link {
    let name: String
    let property: Property
    let column: RelationColumn
    var entity: RelationColumn?
    var position: RelationColumn?
    /// The entity in the model; if a target has another, the line names it.
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
        // A view of mapped objects does not tell which entities have a column, so the model is used.
        guard lineage.contains(property.entity) || column.onlyIn == nil && !isTyped else {
          continue
        }
        values.append(Value(name: property.name, column: column, coding: ValueCoding(column, isTyped: isTyped)))
      case .unnamed(let name):
        others.append(Value(name: name, column: column, coding: .asStored))
      case .target(let property):
        // The value of its row determines it: the reader has to name the condition again.
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

  /// Whether `list` belongs to this entity, and not to a sibling in the same table.
  func owns(_ list: LinkRelation, in model: Model) -> Bool {
    model.lineage(of: name).contains { $0.name == list.relationship.entity }
  }

  /// Whether the objects have an integer key; otherwise they are numbered in order.
  var hasKey: Bool { relation.keyColumn != nil }
}

/// The conversion of a value for writing and reading.
enum ValueCoding {
  /// None: the storage class is sufficient.
  case asStored
  /// The integers 0 and 1 are `false` and `true`.
  case boolean
  /// A number is a date.
  case date
  /// A number is written as decimal digits.
  case decimal
  /// Sixteen bytes are a UUID.
  case uuid
  /// A text is a URI.
  case uri

  /// Returns the coding of a column; if types are only declared types of columns, none is relied on.
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
