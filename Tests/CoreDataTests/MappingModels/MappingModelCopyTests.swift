import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Stores that go through the mapping models that their apps had for them.
///
/// What is expected is what the `sqlite3` program reads from the source, by the expressions of the mapping model as
/// Xcode shows them.
@Suite(.enabled(if: Fixtures.areAvailable)) struct MappingModelCopyTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Copies `store` through the mapping model `file` into `made.sqlite`, a store of the version that it leads to.
  private func copy(
    _ store: String,
    _ file: String,
    _ bundle: String,
    _ versions: (from: String, to: String),
    besides text: String? = nil,
    holdsModel: Bool = true
  ) throws -> (conversion: MappingModelConversion, report: CopyReport, source: String, made: String) {
    let source = try Fixtures.copyStore(store, into: folder.url).path
    let made = folder.path("made.sqlite")
    let place = try ModelAgreementTests.path(bundle)
    let model = try MappingModel.read(ModelAgreementTests.path(file))
    let (from, to) = (
      try ModelLocation("\(place)#\(versions.from)").read(),
      try ModelLocation("\(place)#\(versions.to)").read()
    )
    #expect(model.misfit(from: from, to: to) == nil)
    let conversion = try model.conversion(
      from: from,
      to: to,
      besides: text.map { try Mapping(text: $0, place: "map.yaml") }
    )
    var options = CopyOptions()
    options.mapping = conversion.mapping
    if !holdsModel { options.model = "\(place)#\(versions.from)" }
    options.template = "\(place)#\(versions.to)"
    options.isUnversioned = true
    let report = try Copy(from: source, to: made, options: options).run()
    #expect(report.isVerified)
    return (conversion, report, source, made)
  }

  /// Expects that a query of the source gives the same rows as one of the made store, and some.
  private func expectSame(
    _ source: String,
    _ made: String,
    _ old: String,
    _ new: String,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let expected = try Program.sqlite3(source, old, isQuoted: true)
    #expect(try Program.sqlite3(made, new, isQuoted: true) == expected, sourceLocation: location)
    #expect(!expected.isEmpty, sourceLocation: location)
  }

  private static let moody = "moody/Moody.xcdatamodeld"
  private static let mood =
    "ZMARKEDFORREMOTEDELETION, ZRATING, ZDATE, ZLATITUDE, ZLONGITUDE, ZMARKEDFORDELETIONDATE, ZCREATORID, ZREMOTEID, "
    + "hex(ZCOLORS), ZCOUNTRY"
  private static let region =
    "ZNUMBEROFMOODS, ZNUMERICISO3166CODE, ZUNIQUENESSDUMMY, ZMARKEDFORDELETIONDATE, ZUPDATEDAT"

  @Test func `a link by a key path through another one`() throws {
    let (conversion, _, source, made) = try copy(
      "moody-2/Moody 2.moody",
      "moody/Moody 2-Moody 3.xcmappingmodel",
      Self.moody,
      ("Moody 2", "Moody 3")
    )
    try expectSame(
      source,
      made,
      "SELECT m.Z_PK, \(Self.mood), c.ZCONTINENT FROM ZMOOD m "
        .replacingOccurrences(of: "ZMARKEDFORDELETIONDATE", with: "m.ZMARKEDFORDELETIONDATE")
        + "LEFT JOIN ZGEOGRAPHICREGION c ON c.Z_PK = m.ZCOUNTRY ORDER BY 1",
      "SELECT Z_PK, \(Self.mood), ZCONTINENT FROM ZMOOD ORDER BY 1"
    )
    try expectSame(
      source,
      made,
      "SELECT Z_PK, ZCONTINENT, ZNUMBEROFCOUNTRIES, \(Self.region) FROM ZGEOGRAPHICREGION ORDER BY 1",
      "SELECT Z_PK, ZCONTINENT, ZNUMBEROFCOUNTRIES, \(Self.region) FROM ZGEOGRAPHICREGION ORDER BY 1"
    )
    #expect(try Program.sqlite3(made, "SELECT count(ZCONTINENT) FROM ZMOOD") == "4")
    #expect(conversion.lostEntities == [] && conversion.lostProperties == [])
  }

  @Test func `all by the same names, though the parent of two entities goes`() throws {
    let (conversion, _, source, made) = try copy(
      "moody-3/Moody 3.moody",
      "moody/Moody 3-Moody 4.xcmappingmodel",
      Self.moody,
      ("Moody 3", "Moody 4")
    )
    try expectSame(
      source,
      made,
      "SELECT Z_PK, \(Self.mood), ZCONTINENT FROM ZMOOD ORDER BY 1",
      "SELECT Z_PK, \(Self.mood), ZCONTINENT FROM ZMOOD ORDER BY 1"
    )
    // One table becomes two: the numbers of the entities are those of Z_PRIMARYKEY.
    for (entity, table, own) in [
      ("Country", "ZCOUNTRY", "ZCONTINENT"), ("Continent", "ZCONTINENT", "ZNUMBEROFCOUNTRIES"),
    ] {
      try expectSame(
        source,
        made,
        "SELECT Z_PK, \(own), \(Self.region) FROM ZGEOGRAPHICREGION WHERE Z_ENT = "
          + "(SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = '\(entity)') ORDER BY 1",
        "SELECT Z_PK, \(own), \(Self.region) FROM \(table) ORDER BY 1"
      )
    }
    #expect(conversion.lostEntities == [] && conversion.lostProperties == [])
  }

  @Test func `a value by a key path from an entity that goes`() throws {
    let (conversion, report, source, made) = try copy(
      "moody-4/Moody 4.moody",
      "moody/Moody 4-Moody 5.xcmappingmodel",
      Self.moody,
      ("Moody 4", "Moody 5")
    )
    try expectSame(
      source,
      made,
      "SELECT c.Z_PK, n.ZNUMERICISO3166CODE, c.ZNUMERICISO3166CODE, c.ZUPDATEDAT FROM ZCOUNTRY c "
        + "LEFT JOIN ZCONTINENT n ON n.Z_PK = c.ZCONTINENT ORDER BY 1",
      "SELECT Z_PK, ZISOCONTINENT, ZNUMERICISO3166CODE, ZUPDATEDAT FROM ZCOUNTRY ORDER BY 1"
    )
    try expectSame(
      source,
      made,
      "SELECT Z_PK, \(Self.mood) FROM ZMOOD ORDER BY 1",
      "SELECT Z_PK, \(Self.mood) FROM ZMOOD ORDER BY 1"
    )
    #expect(conversion.lostEntities == ["Continent"])
    #expect(conversion.lostProperties == [Property("Mood", "continent")])
    #expect(report.notes.commandLine.contains("Continent of the source is discarded"))
  }

  @Test func `a mapping file takes the place of the code in a mapping model`() throws {
    let (conversion, _, source, made) = try copy(
      "moody-5/Moody 5.moody",
      "moody/Moody 5-Moody 6.xcmappingmodel",
      Self.moody,
      ("Moody 5", "Moody 6"),
      besides: "entities: { Country: { drop: [isoContinent] } }"
    )
    let country =
      "SELECT Z_PK, ZNUMBEROFMOODS, ZNUMERICISO3166CODE, ZUNIQUENESSDUMMY, ZUPDATEDAT FROM ZCOUNTRY ORDER BY 1"
    try expectSame(source, made, country, country)
    let mood = "SELECT Z_PK, \(Self.mood) FROM ZMOOD ORDER BY 1"
    try expectSame(source, made, mood, mood)
    #expect(try Program.sqlite3(made, "SELECT count(*) FROM ZCONTINENT") == "0")
    #expect(conversion.lostEntities == [] && conversion.lostProperties == [])
  }

  @Test func `a mapping file makes what the code would have made`() throws {
    let (_, _, source, made) = try copy(
      "wibosco-2/CoreDataMigration_Example_2.sqlite",
      "wibosco/Migration2to3ModelMapping.xcmappingmodel",
      "wibosco/CoreDataMigration_Example.xcdatamodeld",
      ("CoreDataMigration_Example 2", "CoreDataMigration_Example 3"),
      besides: """
        entities:
          Post: { drop: [content] }
          Section: { from: Post, set: { body: content, post: $self } }
        """
    )
    try expectSame(
      source,
      made,
      "SELECT ZPOSTID, ZHEXCOLOR, ZDATE, ZCONTENT FROM ZPOST ORDER BY 1",
      "SELECT p.ZPOSTID, p.ZHEXCOLOR, p.ZDATE, s.ZBODY FROM ZPOST p JOIN ZSECTION s ON s.ZPOST = p.Z_PK ORDER BY 1"
    )
    #expect(try Program.sqlite3(made, "SELECT count(*), count(DISTINCT ZPOST) FROM ZSECTION") == "10|10")
  }

  @Test func `beside a mapping file the rest comes through the mapping model`() throws {
    let time = "timestamp / 1000.0 - 978307200"
    let (conversion, _, source, made) = try copy(
      "cyface-v10/V10TestData.sqlite",
      "cyface/V10toV11.xcmappingmodel",
      "cyface/CyfaceModel.xcdatamodeld",
      ("10", "11"),
      besides: """
        entities:
          Measurement: { set: { time: "\(time)", synchronized: "coalesce(synchronized, 0)" } }
          GeoLocation: { set: { time: "\(time)" } }
        """
    )
    // The columns of links that are ordered at their other end have numbers in their names.
    let event = "SELECT Z_PK, ZTYPE, ZVALUE, ZTIME, ZMEASUREMENT FROM ZEVENT ORDER BY 1"
    try expectSame(source, made, event, event)
    let track = "SELECT Z_PK, ZMEASUREMENT FROM ZTRACK ORDER BY 1"
    try expectSame(source, made, track, track)
    try expectSame(
      source,
      made,
      "SELECT Z_PK, ZLAT, ZLON, ZSPEED, ZTRACK, ZTIMESTAMP / 1000.0 - 978307200, 0.0, 0.0 FROM ZGEOLOCATION ORDER BY 1",
      "SELECT Z_PK, ZLAT, ZLON, ZSPEED, ZTRACK, ZTIME, ZALTITUDE, ZVERTICALACCURACY FROM ZGEOLOCATION ORDER BY 1"
    )
    #expect(try Program.sqlite3(made, "SELECT count(*) FROM ZALTITUDE") == "0")
    #expect(conversion.lostEntities == [] && conversion.lostProperties == [])
  }

  @Test func `a mapping file makes two entities of one, and nothing comes by its name`() throws {
    let (conversion, _, source, made) = try copy(
      "issue4-model1/Model1.sqlite",
      "issue4/Model1_to_Model2.xcmappingmodel",
      "issue4/Model.xcdatamodeld",
      ("Model1", "Model2"),
      besides: """
        entities:
          User: { drop: [books] }
          Book: { drop: [authorName, user] }
          Author: { from: Book, set: { name: authorName } }
        """,
      holdsModel: false
    )
    try expectSame(
      source,
      made,
      "SELECT Z_PK, ZTITLE, hex(ZFILEURL), ZAUTHORNAME FROM ZBOOK ORDER BY 1",
      "SELECT b.Z_PK, ZTITLE, hex(ZFILEURL), ZNAME FROM ZBOOK b JOIN ZAUTHOR a ON a.Z_PK = b.Z_PK ORDER BY 1"
    )
    let user = "SELECT Z_PK, ZUSERID FROM ZUSER ORDER BY 1"
    try expectSame(source, made, user, user)
    #expect(conversion.lostEntities == [])
  }

  /// The policy classes of the real mapping models, and what else stands in the way.
  static let refused: [(file: String, bundle: String, from: String, to: String, named: [String])] =
    [
      (
        "coredataplus/V2toV3.cdm", "coredataplus/SampleModel.xcdatamodeld", "SampleModel2",
        "SampleModel3",
        [
          "CarToCar", "LuxuryCarToLuxuryCar", "SportCarToSportCar",
          "REPLACE_AT_RUNTIME.V2to3MakerPolicy",
        ]
      ),
      (
        "coredataplus/V2toV3.xcmappingmodel", "coredataplus/SampleModel.xcdatamodeld",
        "SampleModel2",
        "SampleModel3",
        [
          "CarToCar", "LuxuryCarToLuxuryCar", "SportCarToSportCar",
          "REPLACE_AT_RUNTIME.V2to3MakerPolicy",
        ]
      ),
      (
        "cyface/V10toV11.xcmappingmodel", "cyface/CyfaceModel.xcdatamodeld", "10", "11",
        [
          "MeasurementToMeasurement", "DataCapturing.V10MeasurementToMeasurementPolicy",
          "GeoLocationToGeoLocation",
          "DataCapturing.GeoLocationToGeoLocationPolicy",
        ]
      ),
      (
        "cyface/V3toV4.xcmappingmodel", "cyface/CyfaceModel.xcdatamodeld", "3", "4",
        ["DataCapturing.MeasurementToMeasurementPolicy"]
      ),
      (
        "issue4/Model1_to_Model2.xcmappingmodel", "issue4/Model.xcdatamodeld", "Model1", "Model2",
        ["BookToBook", "MHWBookToBookPolicy"]
      ),
      (
        "issue4/Model2_to_Model3.xcmappingmodel", "issue4/Model.xcdatamodeld", "Model2", "Model3",
        ["MHWBookToBookPolicy"]
      ),
      (
        "moody/Moody 5-Moody 6.xcmappingmodel", "moody/Moody.xcdatamodeld", "Moody 5", "Moody 6",
        ["CountryToCountry", "Migrations.Country5ToCountry6Policy"]
      ),
      (
        "wibosco/Migration2to3ModelMapping.xcmappingmodel",
        "wibosco/CoreDataMigration_Example.xcdatamodeld",
        "CoreDataMigration_Example 2", "CoreDataMigration_Example 3",
        ["CoreDataMigration_Example.Post2ToPost3MigrationPolicy"]
      ),
    ]

  @Test(arguments: refused) func `code of the app's is named and refused`(
    _ step: (file: String, bundle: String, from: String, to: String, named: [String])
  ) throws {
    let model = try MappingModel.read(ModelAgreementTests.path(step.file))
    let place = try ModelAgreementTests.path(step.bundle)
    let (from, to) = (
      try ModelLocation("\(place)#\(step.from)").read(),
      try ModelLocation("\(place)#\(step.to)").read()
    )
    let error = #expect(throws: DecantError.self) { try model.conversion(from: from, to: to) }
    #expect(error?.family == .modelMismatch)
    for name in step.named { #expect(error?.message.contains(name) == true, "\(name)") }
    #expect(error?.advice?.commandLine.contains("--suggest-mapping") == true)
  }

  @Test func `two mapping models of one step are taken together`() throws {
    let place = try ModelAgreementTests.path("issue4/Model.xcdatamodeld")
    let (from, to) = (try ModelLocation(place + "#Model2").read(), try ModelLocation(place + "#Model3").read())
    let first = try MappingModel.read(ModelAgreementTests.path("issue4/Model2_to_Model3.xcmappingmodel"))
    let second = try MappingModel.read(ModelAgreementTests.path("issue4/Model2_to_Model3_User.xcmappingmodel"))
    let file = try Mapping(text: "entities: { Book: { drop: [fileURL, users] } }", place: "map.yaml")
    let conversion = try first.joined(with: second).conversion(from: from, to: to, besides: file)
    // Files are of nothing, and nothing of the other name is there.
    #expect(Set(conversion.mapping.entities.map(\.name.text)) == ["Book", "Author", "User"])
    #expect(conversion.lostEntities == [])
    #expect(conversion.lostProperties == [Property("User", "books")])
  }
}
