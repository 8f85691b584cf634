import Foundation
import TestSupport
import Testing

@testable import SampleKitchen

/// The layout against the tables of real stores, whose models are repeated here.
@Suite(.enabled(if: Fixtures.areAvailable))
struct LayoutTests {
  @Test func `inheritance and a discriminator are laid out as in a real store`() throws {
    let books = Schema(
      entities: [
        entity(
          "Book",
          [
            ("pagesCount", .integer64), ("publishedAt", .date), ("price", .decimal),
            ("title", .string), ("uniqueID", .uuid), ("frontCover", .transformable),
          ],
          [
            SchemaRelationship(name: "author", destination: "Author", inverse: "books"),
            SchemaRelationship(name: "pages", destination: "Page", inverse: "book", isToMany: true),
          ]
        ),
        entity("GraphicNovel", parent: "Book", [("isBlackAndWhite", .boolean)]),
        entity(
          "Feedback",
          [
            ("rating", .double), ("authorAlias", .string), ("comment", .string), ("bookID", .uuid),
          ]
        ),
        entity(
          "Page",
          [("isBookmarked", .boolean), ("number", .integer32), ("content", .transformable)],
          [SchemaRelationship(name: "book", destination: "Book", inverse: "pages")]
        ),
        entity("Writer", [("age", .integer16)]),
        entity(
          "Author",
          parent: "Writer",
          [("alias", .string)],
          [
            SchemaRelationship(name: "books", destination: "Book", inverse: "author", isToMany: true)
          ]
        ),
      ],
      versionIdentifiers: []
    )
    try expect(books, isLaidOutAs: "cdp-samplemodel2-v2/SampleModel2_V2.sqlite", except: "UNIQUE INDEX")
  }

  @Test func `ordered lists are laid out as in a real store`() throws {
    let parts: [(String, String, [(String, SchemaAttribute.Kind)])] = [
      ("Altitude", "track", [("time", .date), ("altitude", .double)]),
      ("Event", "measurement", [("value", .string), ("type", .integer16), ("time", .date)]),
      (
        "GeoLocation", "track",
        [
          ("verticalAccuracy", .double), ("speed", .double), ("isPartOfCleanedTrack", .boolean),
          ("time", .date), ("lon", .double), ("accuracy", .double), ("lat", .double),
          ("altitude", .double),
        ]
      ),
      ("Track", "measurement", []),
    ]
    let owners = ["track": "Track", "measurement": "Measurement"]
    var entities: [SchemaEntity] = parts.map { name, owner, attributes in
      entity(
        name,
        attributes,
        [
          SchemaRelationship(name: owner, destination: owners[owner] ?? "", inverse: name.lowercased() + "s")
        ]
      )
    }
    func lists(_ owner: String) -> [SchemaRelationship] {
      parts.filter { $0.1 == owner }.map { part in
        SchemaRelationship(
          name: part.0.lowercased() + "s",
          destination: part.0,
          inverse: owner,
          isToMany: true,
          isOrdered: true
        )
      }
    }
    entities[3].relationships += lists("track")
    entities.append(
      entity(
        "Measurement",
        [
          ("identifier", .integer64), ("synchronizable", .boolean), ("synchronized", .boolean),
          ("time", .date), ("trackLength", .double),
        ],
        lists("measurement")
      )
    )
    try expect(Schema(entities: entities, versionIdentifiers: []), isLaidOutAs: "cyface-v11/V11TestData.sqlite")
  }

  private func entity(
    _ name: String,
    parent: String? = nil,
    _ attributes: [(String, SchemaAttribute.Kind)],
    _ relationships: [SchemaRelationship] = []
  ) -> SchemaEntity {
    SchemaEntity(
      name: name,
      parent: parent,
      attributes: attributes.map { SchemaAttribute(name: $0.0, kind: $0.1) },
      relationships: relationships
    )
  }

  /// Compares the statements, in their order, with those a real store was made by.
  private func expect(_ schema: Schema, isLaidOutAs store: String, except word: String = "\n") throws {
    let folder = try TemporaryFolder()
    let copy = try Fixtures.copyStore(store, into: folder.url)
    let real = try Program.sqlite3(
      copy.path,
      "SELECT sql FROM sqlite_master WHERE type <> 'trigger' AND name NOT LIKE 'A%' "
        + "AND name NOT LIKE 'Z^_TRANS%' ESCAPE '^' ORDER BY rowid"
    )
    #expect(
      Layout(schema).statements + Layout.bookkeeping
        == real.split(separator: "\n").map(String.init).filter { !$0.contains(word) }
    )
  }
}
