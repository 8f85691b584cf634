import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Objects that have one owner, in a to-many relationship without inverse: a table of links on a server could give them two.
@Suite(.enabled(if: PostgresServer.isInstalled && Fixtures.areAvailable)) struct SingleOwnerTests {
  private let place: PostgresFolder

  /// Two measurements, each with locations, of a real store.
  init() throws {
    place = try PostgresFolder()
    let expected = try #require(ExpectedStore.all["cyface-v3"])
    let store = try Fixtures.copyStore(expected.file, into: place.folder.url).path
    try place.expect("copy", store, "base.sqlite")
  }

  private func change(_ name: String, _ sql: String) throws {
    _ = try Program.sqlite3(place.folder.path(name), sql)
  }

  /// What mine and theirs did with the base.
  enum Change: String, CaseIterable {
    case moved, takenOut, found, movedInBoth, movedToNewOwner, movedToCopy, orderedOtherwise, added

    private static let first = "(SELECT min(Z_PK) FROM ZGEOLOCATION WHERE Z2GEOLOCATIONS = 1)"
    private static let newOwner = """
      INSERT INTO ZMEASUREMENT SELECT Z_PK + 2, Z_ENT, 1, ZACCELERATIONSCOUNT, ZIDENTIFIER + 90, ZSYNCHRONIZED, ZTIMESTAMP + 9,
        'new' FROM ZMEASUREMENT WHERE Z_PK = 1;
      UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_NAME = 'Measurement';
      """

    private static func move(to owner: String) -> String {
      "UPDATE ZGEOLOCATION SET Z2GEOLOCATIONS = \(owner) WHERE Z_PK = \(first);"
    }

    var mine: String {
      switch self {
      case .found: Self.move(to: "NULL")
      case .movedInBoth: Self.move(to: "2")
      case .movedToCopy: "UPDATE ZMEASUREMENT SET ZCONTEXT = 'mine' WHERE Z_PK = 1;"
      default: ""
      }
    }

    var theirs: String {
      switch self {
      case .moved: Self.move(to: "2")
      case .takenOut: Self.move(to: "NULL")
      case .found: ""
      case .movedInBoth, .movedToNewOwner: Self.newOwner + Self.move(to: "3")
      case .movedToCopy: "UPDATE ZMEASUREMENT SET ZCONTEXT = 'theirs' WHERE Z_PK = 1;"
      case .added:
        """
        INSERT INTO ZGEOLOCATION SELECT 901, Z_ENT, 1, ZTIMESTAMP + 9, 1, 99999, ZACCURACY, ZLAT, ZLON, ZSPEED FROM ZGEOLOCATION
          WHERE Z_PK = \(Self.first);
        UPDATE Z_PRIMARYKEY SET Z_MAX = 901 WHERE Z_NAME = 'GeoLocation'
        """
      case .orderedOtherwise:
        "UPDATE ZGEOLOCATION SET Z_FOK_2GEOLOCATIONS = -Z_FOK_2GEOLOCATIONS WHERE Z2GEOLOCATIONS = 2;"
      }
    }
  }

  private static let rules = [
    ["--merge", "skip"], ["--merge", "update"], ["--merge", "replace"], ["--merge", "fill"], ["--merge", "keep-both"],
    ["--base", "base.sqlite"],
  ]

  /// The owners of all locations, with their order, by values.
  private static let owners = """
    SELECT m.ZCONTEXT, m.ZTIMESTAMP, count(*), sum(g.ZTIMESTAMP), group_concat(g.ZTIMESTAMP) FROM (
      SELECT * FROM ZGEOLOCATION ORDER BY Z2GEOLOCATIONS, Z_FOK_2GEOLOCATIONS, ZTIMESTAMP) AS g
    LEFT JOIN ZMEASUREMENT AS m ON m.Z_PK = g.Z2GEOLOCATIONS GROUP BY g.Z2GEOLOCATIONS ORDER BY 1, 2, 3
    """

  @Test(arguments: Change.allCases, rules) func `a merge into the server does what one into a file does`(
    change: Change, rule: [String]
  ) throws {
    for name in ["mine.sqlite", "theirs.sqlite"] { try place.expect("copy", "base.sqlite", name) }
    try self.change("mine.sqlite", change.mine)
    try self.change("theirs.sqlite", change.theirs)
    try place.expect("copy", "mine.sqlite", place.location)
    let file = try place.run(["merge", "theirs.sqlite", "mine.sqlite"] + rule)
    let server = try place.run(["merge", "theirs.sqlite", place.location] + rule)
    #expect(file.status == server.status, "\(file.output)\(file.errors)\(server.output)\(server.errors)")
    #expect(
      try place.psql(
        "SELECT count(*) FROM (SELECT FROM measurement_geo_locations GROUP BY geo_location_id HAVING count(*) > 1) AS x"
      )
        == "0")
    try place.expect("copy", place.location, "back.sqlite")
    let owners = try Program.sqlite3(place.folder.path("mine.sqlite"), Self.owners)
    #expect(try Program.sqlite3(place.folder.path("back.sqlite"), Self.owners) == owners)
    // The same again changes nothing.
    let again = try place.run(["merge", "theirs.sqlite", place.location] + rule)
    let more = try place.run(["merge", "theirs.sqlite", "mine.sqlite"] + rule)
    #expect(again.output.contains("nothing to do") == more.output.contains("nothing to do"), "\(again.output)")
  }

  @Test func `two owners that an app made are named, with the way out`() throws {
    try place.expect("copy", "base.sqlite", place.location)
    try place.psql(
      "INSERT INTO measurement_geo_locations SELECT 2, geo_location_id FROM measurement_geo_locations "
        + "WHERE measurement_id = 1 ORDER BY 2 LIMIT 2")
    let first = try place.psql("SELECT min(geo_location_id) FROM measurement_geo_locations WHERE measurement_id = 1")
    for arguments in [["copy", place.location, "back.sqlite"], ["merge", "base.sqlite", place.location]] {
      let run = try place.run(arguments)
      #expect(run.status == 12, "\(run.output)\(run.errors)")
      #expect(
        run.errors.contains(
          "GeoLocation p\(first) is in Measurement.geoLocations of p1 and p2, but an object may be in one such list only; 2 objects"
        ),
        "\(run.errors)")
      #expect(run.errors.contains("postgres://") && run.errors.contains("table measurement_geo_locations"))
      // The query finds them.
      let query = try #require(run.errors.firstMatch(of: /SELECT .* HAVING count\(\*\) > 1/))
      #expect(query.output.contains(#""public"."measurement_geo_locations""#) && !run.errors.contains("inverse"))
      #expect(try place.psql(String(query.output)).split(separator: "\n").count == 2)
    }
    try place.psql("DELETE FROM measurement_geo_locations WHERE position IS NULL")
    try place.expect("copy", place.location, "back.sqlite")
    try place.expect("merge", "base.sqlite", place.location)
  }

  @Test func `a plain database with the objects gets no second owner`() throws {
    try place.expect("copy", "base.sqlite", "sqlite:plain.db")
    let dump = "SELECT * FROM Measurement_geoLocations ORDER BY 1, 2"
    let before = try Program.sqlite3(place.folder.path("plain.db"), dump)
    try change("base.sqlite", Change.moved.theirs)
    try place.expect(
      ["merge", "base.sqlite", "sqlite:plain.db", "--merge", "update"], 12, "an object may be in one such list only")
    #expect(try Program.sqlite3(place.folder.path("plain.db"), dump) == before)
    // Those that were there are left alone.
    _ = try Program.sqlite3(
      place.folder.path("plain.db"),
      "INSERT INTO Measurement_geoLocations SELECT 2, max(geoLocation_id), 9 FROM Measurement_geoLocations WHERE measurement_id = 1"
    )
    try place.expect("copy", "base.sqlite", "sqlite:plain.db", "--append")
  }
}
