internal import DecantPlain
internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantJSON
internal import DecantSQLite

/// A link in the rows of a staged store: its column, and its target.
struct StagedLink {
  /// The relationship.
  let name: String
  /// The column of a link in the object's own row, or of the target in a table of links.
  let column: String
  /// The table of links, and the column of the owner in it.
  var list: (table: String, owner: String)?
  /// The entity in the model, and the table of its objects.
  let destination: String
  let target: String
  let targetKey: String
  /// Whether the link is required; in a plain database the table itself determines that.
  var isRequired = false
  /// Whether the target is the owner of the object, and the object a part of the owner's identity.
  var isOwner = false

  /// Describes a link in the row of an object of `entity`; `nil` if the target has no integer key.
  ///
  /// - Parameters:
  ///   - link: The link in the object's line.
  ///   - entity: The entity of the object.
  ///   - source: The store.
  ///   - model: The model that determines which links are required.
  init?(_ link: ArchivedEntity.Link, of entity: ArchivedEntity, in source: any SourceStore, _ model: Model) {
    guard let root = link.column.targetRoot, let target = source.layout.relation(of: root),
      let key = target.keyColumn
    else { return nil }
    name = link.property.description
    column = link.column.name
    destination = link.destination
    self.target = target.table
    targetKey = key
    isRequired = model.requiresLink(link.property.name, of: entity.name)
    isOwner = model.lineage(of: entity.name).lazy.flatMap(\.relationships)
      .contains { $0.name == link.property.name && model.leadsToOwner($0) }
  }

  /// Describes a link of a list; `nil` if the target has no integer key.
  init?(_ list: LinkRelation, in source: any SourceStore) {
    guard let target = source.layout.relation(of: list.targetRoot), let key = target.keyColumn
    else { return nil }
    name = list.relationship.description
    column = list.targetColumn
    self.list = (list.table, list.ownerColumn)
    destination = list.targetRoot
    self.target = target.table
    targetKey = key
  }

  /// Returns the links of `entity` in a plain database, as described in the header.
  static func links(of entity: String, _ file: PlainFile, _ header: ArchiveHeader) -> [StagedLink] {
    let model = header.model
    return (model.model[entity]?.relationships ?? []).compactMap { relationship in
      let property = Property(entity, relationship.name)
      guard let target = file.schema.table(relationship.destination),
        let key = model.keyColumns[relationship.destination]
      else { return nil }
      let written = model.written[property]
      var (column, list): (String?, (String, String)?) = (nil, nil)
      if let table = written?["table"]?.string {
        column = written?["target"]?.string
        list = written?["owner"]?.string.map { (table, $0) }
        guard list != nil else { return nil }
      } else if !relationship.isToMany {
        column = file.schema.table(entity)?.column(relationship.name)?.name
      }
      return column.map {
        var link = StagedLink(
          name: property.description,
          column: $0,
          list: list,
          destination: relationship.destination,
          target: target.name,
          targetKey: key
        )
        link.isOwner = list == nil && model.model.leadsToOwner(relationship)
        return link
      }
    }
  }

  private init(
    name: String,
    column: String,
    list: (String, String)?,
    destination: String,
    target: String,
    targetKey: String
  ) {
    self.name = name
    self.column = column
    self.list = list
    self.destination = destination
    self.target = target
    self.targetKey = targetKey
  }
}

extension Model {
  /// Whether the relationship `name` of `entity` is required.
  func requiresLink(_ name: String, of entity: String) -> Bool {
    lineage(of: entity).lazy.flatMap(\.relationships).contains {
      $0.name == name && !$0.isToMany && !$0.isOptional && !$0.isTransient
    }
  }
}
