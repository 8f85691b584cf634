internal import DecantPlain
internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantJSON
internal import DecantSQLite

/// A link as rows of a store in the making hold it: what has to be there for it.
struct StagedLink {
  /// The relationship.
  let name: String
  /// Of a link in the object's own row the column; of one in a table of links the column of its target.
  let column: String
  /// The table that links have of their own, and the column of the owner there.
  var list: (table: String, owner: String)?
  /// The entity that the model names, and where its objects lie.
  let destination: String
  let target: String
  let targetKey: String
  /// Whether an object must not be without it, which in a plain database the table itself says.
  var isRequired = false
  /// Whether the object belongs to what it leads to, and is a part of what that one is known by.
  var isOwner = false

  /// A link in the row of an object of `entity`; `nil` where it leads to what no integer names.
  ///
  /// - Parameters:
  ///   - link: What the object's line says of it.
  ///   - entity: The object's.
  ///   - source: The store.
  ///   - model: What says which links an object must not be without.
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

  /// A link of a list; `nil` where it leads to what no integer names.
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

  /// The links of `entity` in a plain database, as the header tells them.
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
  /// Whether no object of `entity` must be without what its relationship `name` leads to.
  func requiresLink(_ name: String, of entity: String) -> Bool {
    lineage(of: entity).lazy.flatMap(\.relationships).contains {
      $0.name == name && !$0.isToMany && !$0.isOptional && !$0.isTransient
    }
  }
}
