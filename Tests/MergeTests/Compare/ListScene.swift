import Decant
import Foundation
import StoreTestSupport
import TestSupport

/// A store of dishes and tags with one relationship from many to many between them, of which both ends are ordered.
struct ListScene {
  private let scene: VersionScene
  var folder: TemporaryFolder { scene.folder }
  var store: String { scene.store }
  var model: String { scene.bundle + "#Pantry" }
  /// The table of links, and its columns of places.
  let table: String
  let places: [String]

  /// Makes dishes and tags of these names, with keys from 1 on, and links of dish, tag and place.
  init(
    dishes: [String] = ["a", "b"],
    tags: [String] = ["s", "t"],
    links: [[Int]] = [[1, 2, 1024], [1, 1, 2048], [2, 1, 3072]]
  ) throws {
    func entity(_ name: String, _ end: String, _ other: String, _ back: String) -> String {
      """
      <entity name="\(name)"><attribute name="name" optional="YES" attributeType="String"/>
      <relationship name="\(end)" optional="YES" toMany="YES" ordered="YES" destinationEntity="\(other)"
        inverseName="\(back)" inverseEntity="\(other)"/></entity>
      """
    }
    scene = try VersionScene([
      entity("Dish", "tags", "Tag", "dishes") + entity("Tag", "dishes", "Dish", "tags")
    ])
    let found = try Program.sqlite3(
      scene.store,
      """
      SELECT m.name, c.name FROM sqlite_schema AS m, pragma_table_info(m.name) AS c
      WHERE m.type = 'table' AND m.name GLOB 'Z_[0-9]*' ORDER BY c.cid
      """
    ).split(separator: "\n").map { $0.split(separator: "|").map(String.init) }
    table = found[0][0]
    let columns = found.map { $0[1] }
    places = columns.filter { $0.hasPrefix("Z_FOK") }
    // Dish is entity 1, so that its keys stand in the column of that number.
    let rows = links.map { link in
      columns.map { column in
        String(column.hasPrefix("Z_FOK") ? link[2] : column.hasPrefix("Z_1") ? link[0] : link[1])
      }
    }
    func objects(_ entity: String, _ number: Int, _ names: [String]) -> String {
      "INSERT INTO Z\(entity) (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES "
        + names.enumerated().map { "(\($0 + 1), \(number), 1, '\($1)')" }.joined(separator: ", ")
    }
    _ = try Program.sqlite3(
      scene.store,
      """
      \(objects("DISH", 1, dishes)); \(objects("TAG", 2, tags));
      INSERT INTO \(table) (\(columns.joined(separator: ", ")))
      VALUES \(rows.map { "(\($0.joined(separator: ", ")))" }.joined(separator: ", "))
      """
    )
  }
}
