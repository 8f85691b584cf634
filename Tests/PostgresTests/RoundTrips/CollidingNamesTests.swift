import StoreTestSupport
import TestSupport
import Testing

/// Properties whose names are one name in the server's notation have columns of their own.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct CollidingNamesTests {
  private let place: PostgresFolder

  init() throws { place = try PostgresFolder() }

  /// A model, the columns of its one table, and the values of its rows.
  struct Case: Sendable, CustomTestStringConvertible {
    /// The content of the entity `Note`, and what comes after it.
    let content: String
    var rest = ""
    /// The columns of `ZNOTE` without those of every store, and a row for each list of values.
    let stored: String
    let rows: [String]
    /// The columns on the server.
    let columns: String
    /// The rows on the server, as psql shows them.
    let shown: [String]

    var testDescription: String { columns }
  }

  private static func attribute(_ name: String, _ type: String = "String") -> String {
    #"<attribute name="\#(name)" attributeType="\#(type)" optional="YES"/>"#
  }

  private static func link(_ name: String, _ inverse: String, toMany: Bool = false) -> String {
    #"<relationship name="\#(name)" destinationEntity="Note" inverseName="\#(inverse)" inverseEntity="Note" "#
      + #"\#(toMany ? #"toMany="YES""# : #"maxCount="1""#) optional="YES"/>"#
  }

  private static func entity(_ name: String, _ content: String) -> String {
    #"<entity name="\#(name)" parentEntity="Note">\#(content)</entity>"#
  }

  static let cases: [Case] = [
    Case(
      content: attribute("foo_bar") + attribute("fooBar"), stored: "Z_ENT, ZFOOBAR, ZFOO_BAR", rows: ["1, 'a', 'b'"],
      columns: "id,foo_bar,foo_bar_2", shown: ["1|a|b"]),
    Case(
      content: attribute("created_at") + attribute("createdAt", "Date"), stored: "Z_ENT, ZCREATEDAT, ZCREATED_AT",
      rows: ["1, 0.5, 'b'"], columns: "id,created_at,created_at_2", shown: ["1|2001-01-01 00:00:00.5+00|b"]),
    Case(
      content: attribute("foo_Bar", "Integer 32") + attribute("fooBar", "Integer 32")
        + attribute("foo_bar", "Integer 32"),
      stored: "Z_ENT, ZFOOBAR", rows: ["1, 7"], columns: "id,foo_bar,foo_bar_2,foo_bar_3", shown: ["1|7||"]),
    Case(
      content: link("parEnt", "one") + link("par_Ent", "two") + link("one", "parEnt", toMany: true)
        + link("two", "par_Ent", toMany: true),
      stored: "Z_ENT, ZPARENT, ZPAR_ENT", rows: ["1, 1, 2", "1, 2, NULL"], columns: "id,par_ent_id,par_ent_id_2",
      shown: ["1|1|2", "2|2|"]),
    Case(
      content: attribute("owner_id", "Integer 64") + link("owner", "owned") + link("owned", "owner", toMany: true),
      stored: "Z_ENT, ZOWNER_ID, ZOWNER", rows: ["1, 9, 2", "1, 8, 1"], columns: "id,owner_id,owner_id_2",
      shown: ["1|9|2", "2|8|1"]),
    Case(
      content: attribute("place_city") + #"<attribute name="place" attributeType="Composite" composite="Place"/>"#,
      rest: #"<composite name="Place">\#(attribute("city"))</composite>"#, stored: "Z_ENT, ZCITY, ZPLACE_CITY",
      rows: ["1, 'a', 'b'"], columns: "id,place_city,place_city_2", shown: ["1|a|b"]),
    Case(
      content: attribute("fooBar"), rest: entity("Memo", attribute("foo_bar")),
      stored: "Z_ENT, ZFOOBAR, ZFOO_BAR", rows: ["1, 'a', NULL", "2, 'b', 'c'"],
      columns: "id,entity,foo_bar,foo_bar_2", shown: ["1|Note|a|", "2|Memo|b|c"]),
    Case(
      content: "",
      rest: entity("Memo", attribute("fooBar") + attribute("foo_bar")) + entity("Zeta", attribute("fooBar")),
      stored: "Z_ENT, ZFOOBAR, ZFOO_BAR, ZFOOBAR1", rows: ["2, 'a', 'b', NULL", "3, NULL, NULL, 'c'"],
      columns: "id,entity,memo_foo_bar,memo_foo_bar_2", shown: ["1|Memo|a|b", "2|Zeta|c|"]),
  ]

  @Test(arguments: cases) func `each has its own`(sample: Case) throws {
    let values = sample.rows.enumerated().map { "(\($0.offset + 1), 1, \($0.element))" }.joined(separator: ", ")
    let scene = try VersionScene(
      [#"<entity name="Note">\#(sample.content)</entity>\#(sample.rest)"#],
      rows: "INSERT INTO ZNOTE (Z_PK, Z_OPT, \(sample.stored)) VALUES \(values)")
    let columns = """
      SELECT string_agg(attname, ',' ORDER BY attnum) FROM pg_attribute WHERE attrelid = 'note'::regclass AND attnum > 0
      """
    let query = "SELECT Z_PK, \(sample.stored) FROM ZNOTE ORDER BY Z_PK"
    for (index, more) in [[], ["--no-verify"]].enumerated() {
      let schema = "s\(index)"
      let location = place.server.location(place.database, schema: schema)
      let copy = try place.run(["copy", scene.store, location, "--model", scene.bundle + "#Pantry"] + more)
      try #require(copy.status == 0, "\(copy.errors)")
      #expect(try place.psql("SET search_path = \(schema); \(columns)") == sample.columns)
      let shown = try place.psql("SELECT * FROM \(schema).note ORDER BY id")
      #expect(shown.split(separator: "\n").map(String.init) == sample.shown)
      let back = "back\(index).sqlite"
      try place.expect("copy", location, back)
      #expect(try Program.sqlite3(place.folder.path(back), query) == Program.sqlite3(scene.store, query))
      try place.expect("verify", scene.store, location, "--model", scene.bundle + "#Pantry")
    }
  }
}
