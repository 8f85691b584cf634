import DecantSQLite
import Testing

@testable import DecantBase
@testable import DecantPlan
@testable import DecantStore

@Suite struct EntityViewsTests {
  static let model = Model(entities: [
    Entity(
      name: "Order",
      attributes: [
        Attribute(name: "_id", type: .string), Attribute(name: "Select", type: .string),
        Attribute(name: "select", type: .string), Attribute(name: "placed", type: .date),
        Attribute(name: "scan", type: .binary, allowsExternalStorage: true),
        Attribute(name: "memo", type: .string, isTransient: true),
      ],
      relationships: [
        Relationship(name: "shop", destination: "Shop", inverse: "orders"),
        Relationship(name: "tags", destination: "Tag", inverse: "orders", isToMany: true),
        Relationship(name: "like", destination: "Order", inverse: "like", isToMany: true),
      ]
    ),
    Entity(name: "Rush", superentity: "Order", attributes: [Attribute(name: "fee", type: .decimal)]),
    Entity(
      name: "Shop",
      relationships: [
        Relationship(name: "orders", destination: "Order", inverse: "shop", isToMany: true, isOrdered: true),
        Relationship(name: "posters", destination: "Tag", isToMany: true, isOrdered: true),
      ]
    ),
    Entity(
      name: "Tag",
      relationships: [
        Relationship(name: "orders", destination: "Order", inverse: "tags", isToMany: true)
      ]
    ),
    Entity(name: "tag"), Entity(name: "sqlite_stat"), Entity(name: "Order_tags"),
  ])

  /// The layout of the model with what `Layout(of:)` does not make: order, links, owners.
  static let layout: Layout = {
    var layout = Layout(of: model)
    layout.linkRelations = [
      LinkRelation(
        relationship: Property("Order", "tags"),
        inverse: Property("Tag", "orders"),
        table: "order_tag",
        ownerColumn: "o",
        targetColumn: "t",
        ownerRoot: "Order",
        targetRoot: "Tag",
        inversePositionColumn: "place"
      ),
      LinkRelation(
        relationship: Property("Order", "like"),
        inverse: Property("Order", "like"),
        table: "alike",
        ownerColumn: "a",
        targetColumn: "b",
        ownerRoot: "Order",
        targetRoot: "Order",
        isReflexive: true
      ),
    ]
    for index in layout.relations.indices {
      switch layout.relations[index].root {
      case "Order":
        layout.relations[index].columns.append(
          RelationColumn(name: "place", columnRole: .position(Property("Order", "shop")))
        )
      case "Tag":
        layout.relations[index].columns += [
          RelationColumn(name: "poster", columnRole: .owner(Property("Shop", "posters"))),
          RelationColumn(name: "nail", columnRole: .ownerPosition(Property("Shop", "posters"))),
        ]
      default: break
      }
    }
    return layout
  }()

  static let views = EntityViews(model: model, layout: layout)

  /// A store of that layout, attached as `source`, with the views over it.
  private func store() throws -> Connection {
    let connection = try Connection(":memory:", mode: .create)
    try connection.attach(":memory:", as: "source")
    for sql in [
      """
      CREATE TABLE source."Order" (key INTEGER PRIMARY KEY, kind, "_id", "Select", placed, scan, fee,
        shop, place)
      """,
      "CREATE TABLE source.Shop (key INTEGER PRIMARY KEY, kind)",
      "CREATE TABLE source.Tag (key INTEGER PRIMARY KEY, kind, poster, nail)",
      "CREATE TABLE source.Order_tags (key INTEGER PRIMARY KEY, kind)",
      "CREATE TABLE source.order_tag (o, t, place)", "CREATE TABLE source.alike (a, b)",
      "INSERT INTO source.\"Order\" VALUES (1, 1, 'own', 's', 5, x'01', 7, 3, 20)",
      "INSERT INTO source.\"Order\" VALUES (2, 2, 'own', 's', 6, NULL, 8, 3, 10)",
      "INSERT INTO source.Tag VALUES (8, 1, 3, 40), (9, 1, NULL, 50)",
      "INSERT INTO source.order_tag VALUES (1, 8, 2), (2, 8, 1)",
      "INSERT INTO source.alike VALUES (1, 2), (2, 2)",
    ] {
      try connection.run(sql)
    }
    try Self.views.offer(in: "source", on: connection)
    return connection
  }

  private func rows(_ sql: String, _ connection: Connection) throws -> [[Binding]] {
    var rows: [[Binding]] = []
    try connection.forEachRow(sql) { row throws(SQLiteError) in
      rows.append((0..<row.columnCount).map { row.value(at: $0) })
    }
    return rows
  }

  @Test func `no two views have a name, however SQLite compares them`() {
    let names = Self.views.views.map(\.name)
    #expect(
      names == [
        "Order", "Rush", "Order_tags", "Shop", "_sqlite_stat", "Tag", "tag (2)", "Order_tags (2)",
        "Tag_orders", "Order_like", "Shop_posters",
      ]
    )
    #expect(Set(names.map { $0.lowercased() }).count == names.count)
  }

  @Test func `a view has key, entity, stored attributes, links and places`() {
    #expect(
      Self.views["Rush"]?.columns.map(\.name) == [
        "_id", "_entity", "Select", "_id (2)", "placed", "scan", "select (2)", "shop", "fee",
        "shop_position",
      ]
    )
    #expect(Self.views["order"]?.columns.map(\.name).contains("fee") == false)
    #expect(Self.views["Order"]?.columns.first { $0.name == "scan" }?.type?.isExternal == true)
  }

  @Test func `views hold an entity's objects and those below it`() throws {
    let store = try store()
    #expect(
      try rows("SELECT _id, _entity, \"_id (2)\", placed FROM \"Order\" ORDER BY shop_position", store)
        == [
          [.integer(2), .text("Rush"), .text("own"), .integer(6)],
          [.integer(1), .text("Order"), .text("own"), .integer(5)],
        ]
    )
    #expect(try rows("SELECT _id, fee FROM Rush", store) == [[.integer(2), .integer(8)]])
  }

  @Test func `links are read from either end, and pairs both ways`() throws {
    let store = try store()
    #expect(
      try rows("SELECT Order_id, Tag_id, orders_position FROM \"Order_tags (2)\"", store)
        == [[.integer(1), .integer(8), .integer(2)], [.integer(2), .integer(8), .integer(1)]]
    )
    #expect(
      try rows("SELECT Order_id FROM Tag_orders WHERE Tag_id = 8 ORDER BY position", store)
        == [[.integer(2)], [.integer(1)]]
    )
    #expect(
      try rows("SELECT Order_id, like_id FROM Order_like ORDER BY 1, 2", store)
        == [
          [.integer(1), .integer(2)], [.integer(2), .integer(1)], [.integer(2), .integer(2)],
        ]
    )
    #expect(try rows("SELECT * FROM Shop_posters", store) == [[.integer(3), .integer(8), .integer(40)]])
  }
}
