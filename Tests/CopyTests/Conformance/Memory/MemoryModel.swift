import StoreTestSupport
import Decant

/// The conformance model, and the tables in which a store in memory has its objects.
enum MemoryModel {
  static let types: [(name: String, type: AttributeType)] = [
    ("int16", .integer16), ("int32", .integer32), ("int64", .integer64), ("bool", .boolean),
    ("date", .date), ("double", .double), ("float", .float), ("decimal", .decimal),
    ("string", .string), ("uri", .uri), ("uuid", .uuid), ("transformable", .transformable),
    ("binary", .binary),
  ]

  static let model = Model(entities: [
    Entity(
      name: "Label",
      relationships: [
        Relationship(name: "things", destination: "Thing", inverse: "labels", isToMany: true)
      ]
    ),
    Entity(
      name: "Thing",
      attributes: types.map { Attribute(name: $0.name, type: $0.type, isOptional: true) },
      relationships: [
        Relationship(name: "next", destination: "Thing", inverse: "previous"),
        Relationship(name: "previous", destination: "Thing", inverse: "next", isToMany: true),
        Relationship(name: "whole", destination: "Thing", inverse: "parts"),
        Relationship(name: "parts", destination: "Thing", inverse: "whole", isToMany: true, isOrdered: true),
        Relationship(name: "labels", destination: "Label", inverse: "things", isToMany: true),
      ]
    ),
  ])

  static let tables = [
    "CREATE TABLE label (id INTEGER PRIMARY KEY)",
    "CREATE TABLE thing (id INTEGER PRIMARY KEY, next INTEGER, whole INTEGER, place INTEGER, "
      + types.map { "\"\($0.name)\"" }.joined(separator: ", ") + ")",
    """
    CREATE TABLE thing_label (label INTEGER, thing INTEGER, PRIMARY KEY (label, thing)) WITHOUT ROWID
    """,
    "CREATE TABLE counter (root TEXT PRIMARY KEY, last INTEGER)",
  ]

  static let indexes = ["CREATE INDEX thing_next ON thing (next)"]

  static let layout = {
    let thing = Relation.EntityCode(name: "Thing", code: 1)
    func link(_ column: String, _ name: String) -> RelationColumn {
      RelationColumn(
        name: column,
        columnRole: .target(Property("Thing", name)),
        targetRoot: "Thing",
        targetEntities: [thing]
      )
    }
    let values = types.map {
      RelationColumn(name: $0.name, columnRole: .attribute(Property("Thing", $0.name)), type: $0.type)
    }
    var links = LinkRelation(
      relationship: Property("Label", "things"),
      inverse: Property("Thing", "labels"),
      table: "thing_label",
      ownerColumn: "label",
      targetColumn: "thing",
      ownerRoot: "Label",
      targetRoot: "Thing"
    )
    links.rowID = nil
    return Layout(
      relations: [
        Relation(
          root: "Label",
          table: "label",
          keyColumn: "id",
          entityColumn: nil,
          entities: [Relation.EntityCode(name: "Label", code: 2)],
          columns: []
        ),
        Relation(
          root: "Thing",
          table: "thing",
          keyColumn: "id",
          entityColumn: nil,
          entities: [thing],
          columns: [
            link("next", "next"), link("whole", "whole"),
            RelationColumn(name: "place", columnRole: .position(Property("Thing", "whole"))),
          ] + values
        ),
      ],
      linkRelations: [links]
    )
  }()
}
