import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Small models of one's own, for what no real store was found to show.
@Suite struct GeneratedSchemaTests {
  private func table(_ name: String, of entities: [Entity]) -> String? {
    GeneratedSchema(Model(entities: entities)).statements("table")[name]
  }

  private let head = "Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER"

  @Test func `every type of value has its column and its place`() {
    let types: [(String, AttributeType)] = [
      ("a", .binary), ("b", .transformable), ("c", .uuid), ("d", .uri), ("e", .string),
      ("f", .decimal), ("g", .date), ("h", .float), ("i", .double), ("j", .boolean),
      ("k", .integer64), ("l", .integer32), ("m", .integer16), ("n", .undefined),
    ]
    let thing = Entity(
      name: "Thing",
      attributes: types.map { Attribute(name: $0.0, type: $0.1) }
        + [Attribute(name: "z", type: .string, isTransient: true)]
    )
    #expect(
      table("ZTHING", of: [thing])
        == "CREATE TABLE ZTHING ( \(head), ZJ INTEGER, ZK INTEGER, ZL INTEGER, ZM INTEGER, "
        + "ZG TIMESTAMP, ZH FLOAT, ZI FLOAT, ZF DECIMAL, ZE VARCHAR, ZD VARCHAR, ZC BLOB, "
        + "ZB BLOB, ZA BLOB )"
    )
  }

  @Test func `the leaves of a composite attribute have columns of their own`() {
    let address = AttributeType.composite([
      Attribute(name: "city", type: .string),
      Attribute(
        name: "position",
        type: .composite([
          Attribute(name: "lat", type: .double), Attribute(name: "floor", type: .integer16),
        ])
      ),
    ])
    let shop = Entity(
      name: "Shop",
      attributes: [
        Attribute(name: "address", type: address), Attribute(name: "age", type: .float),
      ],
      fetchIndexes: [FetchIndex(name: "byCity", elements: [.init(.property("address.city"))])]
    )
    #expect(
      table("ZSHOP", of: [shop])
        == "CREATE TABLE ZSHOP ( \(head), ZFLOOR INTEGER, ZAGE FLOAT, ZLAT FLOAT, ZCITY VARCHAR )"
    )
    #expect(
      GeneratedSchema(Model(entities: [shop])).statements("index")["Z_Shop_byCity"]
        == "CREATE INDEX Z_Shop_byCity ON ZSHOP (ZCITY COLLATE BINARY ASC)"
    )
  }

  @Test func `a list of many to many has places at its ordered ends`() {
    let list = Entity(
      name: "PlayList",
      relationships: [
        Relationship(name: "tracks", destination: "Track", inverse: "lists", isToMany: true, isOrdered: true)
      ]
    )
    let track = Entity(
      name: "Track",
      relationships: [
        Relationship(name: "lists", destination: "PlayList", inverse: "tracks", isToMany: true, isOrdered: true)
      ]
    )
    let made = GeneratedSchema(Model(entities: [track, list]))
    #expect(
      made.statements("table")["Z_1TRACKS"]
        == "CREATE TABLE Z_1TRACKS ( Z_1LISTS INTEGER, Z_2TRACKS INTEGER, Z_FOK_1LISTS INTEGER, "
        + "Z_FOK_2TRACKS INTEGER, PRIMARY KEY (Z_1LISTS, Z_2TRACKS) )"
    )
    #expect(
      made.statements("index")["Z_1TRACKS_Z_2TRACKS_INDEX"]
        == "CREATE INDEX Z_1TRACKS_Z_2TRACKS_INDEX ON Z_1TRACKS (Z_2TRACKS, Z_1LISTS)"
    )
    #expect(made.doubtfulLinks.isEmpty)
  }

  @Test func `tables that only a store can tell are doubtful`() {
    let half = [
      Entity(
        name: "A",
        relationships: [
          Relationship(name: "bs", destination: "B", inverse: "as", isToMany: true, isOrdered: true),
          Relationship(name: "next", destination: "A", inverse: "previous", isToMany: true),
          Relationship(name: "previous", destination: "A", inverse: "next", isToMany: true),
          Relationship(name: "friends", destination: "A", inverse: "friends", isToMany: true),
        ]
      ),
      Entity(
        name: "B",
        relationships: [
          Relationship(name: "as", destination: "A", inverse: "bs", isToMany: true)
        ]
      ),
    ]
    let made = GeneratedSchema(Model(entities: half))
    #expect(made.doubtfulLinks == ["A.bs", "A.next"])
    #expect(
      made.statements("table")["Z_1FRIENDS"]
        == "CREATE TABLE Z_1FRIENDS ( Z_1FRIENDS INTEGER, REFLEXIVE INTEGER, "
        + "PRIMARY KEY (Z_1FRIENDS, REFLEXIVE) )"
    )
  }

  @Test func `to-many without inverse is a column of its target`() {
    let cart = Entity(
      name: "Cart",
      relationships: [
        Relationship(name: "items", destination: "Item", isToMany: true, isOrdered: true),
        Relationship(name: "gifts", destination: "Item", isToMany: true),
      ]
    )
    let item = Entity(name: "Item", attributes: [Attribute(name: "name", type: .string)])
    #expect(
      table("ZITEM", of: [cart, item])
        == "CREATE TABLE ZITEM ( \(head), Z1GIFTS INTEGER, Z1ITEMS INTEGER, "
        + "Z_FOK_1ITEMS INTEGER, ZNAME VARCHAR )"
    )
    #expect(
      GeneratedSchema(Model(entities: [cart, item])).statements("index").keys.sorted()
        == ["ZITEM_Z1GIFTS_INDEX", "ZITEM_Z1ITEMS_INDEX"]
    )
  }

  @Test func `deep inheritance shares a table, and siblings a name`() {
    func entity(_ name: String, _ parent: String?, _ attributes: [Attribute]) -> Entity {
      Entity(name: name, superentity: parent, attributes: attributes)
    }
    let title = Attribute(name: "title", type: .string)
    let count = Attribute(name: "count", type: .integer32)
    let entities = [
      entity("Base", nil, [Attribute(name: "_hidden", type: .string)]),
      entity("alpha", "Base", [title, count]), entity("Beta", "Base", [title]),
      entity("Deep", "alpha", []), entity("Deeper", "Deep", [Attribute(name: "x", type: .date)]),
      entity("Gamma", "Base", [Attribute(name: "title", type: .binary), count]),
      Entity(name: "Mark", relationships: [Relationship(name: "deep", destination: "alpha")]),
    ]
    #expect(
      table("ZBASE", of: entities)
        == "CREATE TABLE ZBASE ( \(head), ZCOUNT INTEGER, ZCOUNT1 INTEGER, ZX TIMESTAMP, "
        + "Z_HIDDEN VARCHAR, ZTITLE VARCHAR, ZTITLE1 VARCHAR, ZTITLE2 BLOB )"
    )
    // alpha is second in the walk, and has sub-entities.
    #expect(
      table("ZMARK", of: entities)
        == "CREATE TABLE ZMARK ( \(head), ZDEEP INTEGER, Z2_DEEP INTEGER )"
    )
    let made = GeneratedSchema(Model(entities: entities))
    #expect(
      made.numbers
        == ["Base": 1, "alpha": 2, "Deep": 3, "Deeper": 4, "Beta": 5, "Gamma": 6, "Mark": 7]
    )
    #expect(made.statements("index").keys.sorted() == ["ZBASE_Z_ENT_INDEX", "ZMARK_ZDEEP_INDEX"])
  }

  @Test func `an R-tree is what Photos has`() throws {
    let asset = Entity(
      name: "Asset",
      attributes: ["latitude", "longitude"].map { Attribute(name: $0, type: .double) },
      fetchIndexes: [
        FetchIndex(
          name: "boundedByRect",
          elements: ["latitude", "longitude"].map { .init(.property($0), isRange: true) }
        )
      ]
    )
    let made = GeneratedSchema(Model(entities: [asset]))
    #expect(made.notMade.isEmpty)
    guard Fixtures.areAvailable else { return }
    let real = try RealSchema("photos-13.5.1-compare-2")
    let name = "Z_RT_Asset_boundedByRect"
    #expect(made.statements("table")[name] == real.statements["table"]?[name])
    for event in ["INSERT", "UPDATE", "DELETE"] {
      let trigger = "\(name)_\(event)"
      #expect(made.statements("trigger")[trigger] == real.statements["trigger"]?[trigger])
    }
  }

  @Test func `an index may go down, look at the object itself, and leave objects out`() {
    func index(_ name: String, _ condition: FetchIndex.Condition) -> FetchIndex {
      FetchIndex(name: name, elements: [.init(.property("n"))], condition: condition)
    }
    let some = FetchIndex.Condition.comparison("n", .unequal, .null)
    let large = FetchIndex.Condition.comparison("n", .greaterOrEqual, .integer(-1))
    let root = Entity(
      name: "Root",
      attributes: [Attribute(name: "n", type: .integer16), Attribute(name: "t", type: .string)],
      fetchIndexes: [
        FetchIndex(
          name: "three",
          elements: [.init(.property("t"), isAscending: false), .init(.object), .init(.entity)]
        ),
        index("some", some), index("none", .comparison("n", .equal, .null)),
        index("both", .all([some, large])), index("either", .any([some, large])),
      ]
    )
    let made = GeneratedSchema(Model(entities: [root])).statements("index")
    let start = "ON ZROOT (ZN COLLATE BINARY ASC) WHERE "
    #expect(
      made == [
        "Z_Root_three": "CREATE INDEX Z_Root_three ON ZROOT (ZT COLLATE BINARY DESC, "
          + "Z_PK COLLATE BINARY ASC, Z_ENT COLLATE BINARY ASC)",
        "Z_Root_some": "CREATE INDEX Z_Root_some \(start)ZN IS NOT NULL",
        "Z_Root_none": "CREATE INDEX Z_Root_none \(start)ZN IS NULL",
        "Z_Root_both": "CREATE INDEX Z_Root_both \(start)(ZN IS NOT NULL AND ZN >= -1)",
        "Z_Root_either": "CREATE INDEX Z_Root_either \(start)(ZN IS NOT NULL OR ZN >= -1)",
      ]
    )
  }

  @Test func `older frameworks write indexes and constraints otherwise`() {
    let person = Entity(
      name: "Person",
      attributes: ["a", "b", "c"].map { Attribute(name: $0, type: .string, isIndexed: $0 == "c") },
      uniquenessConstraints: [["c"], ["a", "b"]],
      compoundIndexes: [["b", "c"]]
    )
    func made(_ version: Int64) -> GeneratedSchema {
      GeneratedSchema(Model(entities: [person]), frameworkVersion: version)
    }
    let columns = "\(head), ZA VARCHAR, ZB VARCHAR, ZC VARCHAR"
    #expect(
      made(754).statements("table")["ZPERSON"]
        == "CREATE TABLE ZPERSON ( \(columns) UNIQUE, CONSTRAINT ZA_ZB UNIQUE (ZA, ZB))"
    )
    #expect(made(1344).statements("table")["ZPERSON"] == "CREATE TABLE ZPERSON ( \(columns) )")
    #expect(made(754).statements("index").keys.sorted() == ["ZPERSON_ZB_ZC", "ZPERSON_ZC_INDEX"])
    #expect(
      made(1344).statements("index").keys.sorted()
        == ["Z_Person_UNIQUE_a_b", "Z_Person_UNIQUE_c", "Z_Person_b_c", "Z_Person_c"]
    )
    #expect(made(500).statements("table")["Z_MODELCACHE"] == nil)
  }

  @Test func `what cannot be made is said`() {
    let word = Entity(
      name: "Word",
      attributes: [
        Attribute(name: "text", type: .string),
        Attribute(name: "canonical", type: .string, derivation: "canonical:(text)"),
        Attribute(name: "other", type: .objectID),
      ],
      fetchIndexes: [
        FetchIndex(name: "odd", elements: [.init(.property("text"))], condition: .unknown),
        FetchIndex(name: "rising", elements: [.init(.property("text")), .init(.unknown)]),
      ]
    )
    let made = GeneratedSchema(Model(entities: [word]))
    #expect(made.notMade == ["Word.canonical", "Word.other"])
    #expect(made.leftOut == ["Word.odd", "Word.rising"])
  }

  @Test func `a name that is no bare word is quoted`() throws {
    let odd = Entity(
      name: "A\"; DROP TABLE x; --",
      attributes: [Attribute(name: "a b", type: .string, isIndexed: true)]
    )
    let folder = try TemporaryFolder()
    let made = GeneratedSchema(Model(entities: [odd]))
    for type in ["table", "index"] {
      for sql in made.statements(type).values {
        _ = try Program.sqlite3(folder.path("odd.sqlite"), sql)
      }
    }
    let columns = try RealSchema.columns(folder.path("odd.sqlite"))
    #expect(columns["ZA\"; DROP TABLE X; --"]?.contains("ZA B VARCHAR 0") == true)
  }
}
