import Decant
import StoreTestSupport
import TestSupport
import Testing

@testable import DecantPlain

/// The names that a model's properties get in plain tables.
@Suite struct ObjectsLayoutTests {
  private func attribute(_ name: String, _ type: AttributeType = .string) -> Attribute {
    Attribute(name: name, type: type, isOptional: true)
  }

  /// The statements for the tables of `entities`, without line ends.
  private func tables(_ entities: Entity...) -> [String] {
    statements(entities).tables.map {
      $0.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ")
    }
  }

  private func statements(_ entities: [Entity]) -> ObjectsStatements {
    ObjectsStatements(ObjectsLayout(Model(entities: entities)))
  }

  @Test func `each type is declared as what keeps its values as they are`() {
    let types: [(AttributeType, String)] = [
      (.integer16, "INTEGER"), (.integer32, "INTEGER"), (.integer64, "INTEGER"),
      (.boolean, "BOOLEAN"), (.double, "REAL"), (.float, "REAL"), (.decimal, "TEXT"),
      (.date, "DATETIME"), (.string, "TEXT"), (.uri, "TEXT"), (.uuid, "TEXT"), (.binary, "BLOB"),
      (.transformable, "BLOB"),
    ]
    for (type, declared) in types {
      let sql = tables(Entity(name: "Thing", attributes: [attribute("value", type)]))
      #expect(sql == ["CREATE TABLE Thing ( id INTEGER PRIMARY KEY, value \(declared) )"])
    }
  }

  @Test func `a name that is taken gets the entity's in front, in any case`() {
    #expect(
      tables(Entity(name: "Order", attributes: ["ID", "Entity", "select", "a \"b\""].map { attribute($0) }))
        == [
          #"CREATE TABLE "Order" ( id INTEGER PRIMARY KEY, Order_Entity TEXT, Order_ID TEXT, "a ""b""" TEXT, "select" TEXT )"#
        ]
    )
  }

  @Test func `names that differ in capitals only are told apart`() {
    let sql = tables(
      Entity(name: "note", attributes: [attribute("Title"), attribute("title")]),
      Entity(name: "Note")
    )
    #expect(
      sql == [
        "CREATE TABLE Note ( id INTEGER PRIMARY KEY )",
        "CREATE TABLE note_objects ( id INTEGER PRIMARY KEY, Title TEXT, note_title TEXT )",
      ]
    )
  }

  @Test func `a name that SQLite keeps to itself is another one`() {
    #expect(
      tables(Entity(name: "sqlite_stat1", attributes: [attribute("rowid")])) == [
        "CREATE TABLE _sqlite_stat1 ( id INTEGER PRIMARY KEY, rowid TEXT )"
      ]
    )
  }

  @Test func `siblings share a column of one name and type, and have their own of two`() {
    let sql = tables(
      Entity(name: "Media", isAbstract: true),
      Entity(
        name: "Photo",
        superentity: "Media",
        attributes: [attribute("caption"), attribute("size", .integer32)]
      ),
      Entity(
        name: "Song",
        superentity: "Media",
        attributes: [attribute("caption"), attribute("size", .double)]
      )
    )
    #expect(
      sql == [
        "CREATE TABLE Media ( id INTEGER PRIMARY KEY, entity TEXT NOT NULL, caption TEXT, "
          + "Photo_size INTEGER, Song_size REAL )"
      ]
    )
  }

  @Test func `links of siblings share a column where they lead to the same table`() {
    let sql = tables(
      Entity(name: "Media"),
      Entity(
        name: "Photo",
        superentity: "Media",
        relationships: [
          Relationship(name: "album", destination: "Album"),
          Relationship(name: "owner", destination: "Album"),
        ]
      ),
      Entity(
        name: "Song",
        superentity: "Media",
        relationships: [
          Relationship(name: "album", destination: "Album"),
          Relationship(name: "owner", destination: "Media"),
        ]
      ),
      Entity(name: "Album", attributes: [attribute("cover_id")])
    )
    #expect(
      sql[1] == "CREATE TABLE Media ( id INTEGER PRIMARY KEY, entity TEXT NOT NULL, "
        + "album_id INTEGER REFERENCES Album (id), Photo_owner_id INTEGER REFERENCES Album (id), "
        + "Song_owner_id INTEGER REFERENCES Media (id) )"
    )
  }

  @Test func `an attribute comes before a link that wants its name`() {
    let sql = tables(
      Entity(
        name: "Item",
        attributes: [attribute("box_id"), attribute("box_position", .integer16)],
        relationships: [Relationship(name: "box", destination: "Box", inverse: "items")]
      ),
      Entity(
        name: "Box",
        relationships: [
          Relationship(
            name: "items",
            destination: "Item",
            inverse: "box",
            isToMany: true,
            isOrdered: true
          )
        ]
      )
    )
    #expect(
      sql[1] == "CREATE TABLE Item ( id INTEGER PRIMARY KEY, box_id TEXT, box_position INTEGER, "
        + "Item_box_id INTEGER REFERENCES Box (id), Item_box_position INTEGER )"
    )
  }

  @Test func `what nobody may have twice is a unique index, over the entity's own objects`() {
    var base = Entity(name: "Base", attributes: [attribute("code")])
    base.uniquenessConstraints = [["code"]]
    var part = Entity(name: "Part", superentity: "Base", attributes: [attribute("number")])
    part.uniquenessConstraints = [["number", "code"]]
    let made = statements([base, part])
    #expect(
      made.uniqueIndexes == [
        "CREATE UNIQUE INDEX Base_code_unique ON Base (code)",
        "CREATE UNIQUE INDEX Part_number_code_unique ON Base (number, code) WHERE entity IN ('Part')",
      ]
    )
    #expect(made.indexes.isEmpty)
  }

  @Test func `tables of links have no name of an entity`() {
    let sql = tables(
      Entity(
        name: "Item",
        relationships: [
          Relationship(name: "tags", destination: "Tag", inverse: "items", isToMany: true)
        ]
      ),
      Entity(
        name: "Tag",
        relationships: [
          Relationship(name: "items", destination: "Item", inverse: "tags", isToMany: true)
        ]
      ),
      Entity(name: "item_Tags")
    )
    #expect(
      sql.last == "CREATE TABLE Item_tags_links ( Item_id INTEGER REFERENCES Item (id), "
        + "Tag_id INTEGER REFERENCES Tag (id), PRIMARY KEY (Item_id, Tag_id) )"
    )
  }
}
