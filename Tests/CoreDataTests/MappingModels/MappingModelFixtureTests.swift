import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import DecantCoreData

/// The real mapping models, read.
///
/// What is expected was found by Python: `xml.etree` reads the XML, `plistlib` the archives in it and the compiled one.
@Suite(.enabled(if: Fixtures.areAvailable)) struct MappingModelFixtureTests {
  static let through =
    "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", "
  static let related =
    "FUNCTION($manager, \"destinationInstancesForSourceRelationshipNamed:sourceInstances:\", "

  struct Case: Sendable, CustomTestStringConvertible {
    let file: String
    let mappings: [String]
    var testDescription: String { file }

    init(_ file: String, _ mappings: [String]) {
      self.file = file
      self.mappings = mappings
    }
  }

  static let edited = [
    Case(
      "coredataplus/V2toV3.xcmappingmodel",
      [
        "Car → Car by REPLACE_AT_RUNTIME.V2to3MakerPolicy: markedForDeletionAsOf; model; numberPlate; createdBy; "
          + "owner; previousOwners = \(through)\"PersonToPerson\", $source.owner)",
        "LuxuryCar → LuxuryCar by REPLACE_AT_RUNTIME.V2to3MakerPolicy: isLimitedEdition; markedForDeletionAsOf; "
          + "model; numberPlate; createdBy; owner; previousOwners = \(through)\"PersonToPerson\", $source.owner)",
        "Person → Person: firstName; lastName; updatedAt; cars; previousCars = \(related)\"cars\", $source.cars)",
        "SportCar → SportCar by REPLACE_AT_RUNTIME.V2to3MakerPolicy: markedForDeletionAsOf; model; numberPlate; "
          + "createdBy; owner; previousOwners = \(through)\"PersonToPerson\", $source.owner)",
        "nothing → Maker: name; cars",
      ]
    ),
    Case(
      "cyface/V10toV11.xcmappingmodel",
      [
        "Track → Track: altitudes; locations; measurement",
        "Measurement → Measurement by DataCapturing.V10MeasurementToMeasurementPolicy: identifier; synchronizable; "
          + "synchronized; time; trackLength; events; tracks",
        "nothing → Altitude: altitude; time; track",
        "Event → Event: time; type; value; measurement",
        "GeoLocation → GeoLocation by DataCapturing.GeoLocationToGeoLocationPolicy: accuracy; altitude; "
          + "isPartOfCleanedTrack; lat; lon; speed; time; verticalAccuracy; track",
      ]
    ),
    Case(
      "cyface/V3toV4.xcmappingmodel",
      [
        "Measurement → Measurement by DataCapturing.MeasurementToMeasurementPolicy: accelerationsCount; context; "
          + "identifier; synchronized; timestamp; trackLength"
      ]
    ),
    Case(
      "issue4/Model1_to_Model2.xcmappingmodel",
      [
        "User → User: userId; books", "nothing → Author: name; books",
        "Book → Book by MHWBookToBookPolicy: fileURL; title; authors; users [modelVersion 2]",
      ]
    ),
    Case(
      "issue4/Model2_to_Model3.xcmappingmodel",
      [
        "nothing → File: fileURL; book; user",
        "Book → Book by MHWBookToBookPolicy: title; authors; files [modelVersion 3]",
        "Author → Author: name; books",
      ]
    ),
    Case("issue4/Model2_to_Model3_User.xcmappingmodel", ["User → User: userId; files"]),
    Case(
      "moody/Moody 2-Moody 3.xcmappingmodel",
      [
        "Mood → Mood: colors; creatorID; date; latitude; longitude; markedForDeletionDate; "
          + "markedForRemoteDeletion; rating; remoteID; "
          + "continent = $source.country.continent through ContinentToContinent; "
          + "country = $source.country through CountryToCountry",
        "Country → Country: markedForDeletionDate; numberOfMoods; numericISO3166Code; uniquenessDummy; updatedAt; "
          + "continent; moods",
        "Continent → Continent: markedForDeletionDate; numberOfCountries; numberOfMoods; numericISO3166Code; "
          + "uniquenessDummy; updatedAt; countries; "
          + "moods = $source.countries.@distinctUnionOfSets.moods through MoodToMood",
      ]
    ),
    Case(
      "moody/Moody 3-Moody 4.xcmappingmodel",
      [
        "Continent → Continent: markedForDeletionDate; numberOfCountries; numberOfMoods; numericISO3166Code; "
          + "uniquenessDummy; updatedAt; countries; moods",
        "Country → Country: markedForDeletionDate; numberOfMoods; numericISO3166Code; uniquenessDummy; updatedAt; "
          + "continent; moods",
        "Mood → Mood: colors; creatorID; date; latitude; longitude; markedForDeletionDate; "
          + "markedForRemoteDeletion; rating; remoteID; continent; country",
      ]
    ),
    Case(
      "moody/Moody 4-Moody 5.xcmappingmodel",
      [
        "Mood → Mood: colors; creatorID; date; latitude; longitude; markedForDeletionDate; "
          + "markedForRemoteDeletion; rating; remoteID; country",
        "Country → Country: isoContinent = $source.continent.numericISO3166Code; markedForDeletionDate; "
          + "numberOfMoods; numericISO3166Code; uniquenessDummy; updatedAt; moods",
      ]
    ),
    Case(
      "moody/Moody 5-Moody 6.xcmappingmodel",
      [
        "nothing → Continent: numericISO3166Code; countries",
        "Country → Country by Migrations.Country5ToCountry6Policy: markedForDeletionDate; numberOfMoods; "
          + "numericISO3166Code; uniquenessDummy; updatedAt; continent; moods",
        "Mood → Mood: colors; creatorID; date; latitude; longitude; markedForDeletionDate; "
          + "markedForRemoteDeletion; rating; remoteID; country",
      ]
    ),
    Case(
      "wibosco/Migration2to3ModelMapping.xcmappingmodel",
      [
        "nothing → Section: body; index; title; post",
        "Post → Post by CoreDataMigration_Example.Post2ToPost3MigrationPolicy: date; hexColor; postID; sections",
      ]
    ),
  ]

  static func read(_ file: String) throws -> MappingModel {
    try MappingModel.read(ModelAgreementTests.path(file))
  }

  static func line(_ mapping: MappingModel.EntityMapping) -> String {
    let properties = (mapping.attributes + mapping.relationships).map { property in
      switch property.value {
      case .automatic: property.name
      case .nothing: "\(property.name) = nothing"
      case .expression(let expression): "\(property.name) = \(expression)"
      case .links(let path, let name):
        "\(property.name) = \(path?.description ?? "") through \(name ?? "")"
      }
    }
    let info = mapping.userInfo.sorted { $0.key < $1.key }.map { " [\($0.key) \($0.value)]" }
    let names = "\(mapping.sourceName ?? "nothing") → \(mapping.destinationName ?? "nothing")"
    let policy = mapping.policy.flatMap { $0.isEmpty ? nil : " by \($0)" } ?? ""
    return "\(names)\(policy): \(properties.joined(separator: "; "))\(info.joined())"
  }

  @Test(arguments: edited) func `an edited mapping model is read`(_ expected: Case) throws {
    let model = try Self.read(expected.file)
    #expect(model.entityMappings.map(Self.line) == expected.mappings)
    #expect(model.entityMappings.allSatisfy { $0.unknown.isEmpty && $0.kind == .undefined })
    // The folder and the file in it are the same mapping model.
    var inside = try Self.read(expected.file + "/xcmapping.xml")
    inside.place = model.place
    #expect(inside == model)
  }

  @Test func `a compiled mapping model is read`() throws {
    let model = try Self.read("coredataplus/V2toV3.cdm")
    let policy = "REPLACE_AT_RUNTIME.V2to3MakerPolicy"
    let own = ["markedForDeletionAsOf", "model", "numberPlate"].map { "\($0) = $source.\($0)" }
    let links = [
      "createdBy = nothing", "owner = \(Self.through)\"PersonToPerson\", $source.owner)",
      "previousOwners = \(Self.through)\"PersonToPerson\", $source.owner)",
    ]
    func line(_ name: String, _ properties: [String]) -> String {
      "\(name): \(properties.joined(separator: "; "))"
    }
    #expect(
      model.entityMappings.map(Self.line) == [
        line("Car → Car by \(policy)", own + links),
        line("LuxuryCar → LuxuryCar by \(policy)", ["isLimitedEdition = $source.isLimitedEdition"] + own + links),
        line(
          "Person → Person",
          ["firstName", "lastName", "updatedAt"].map { "\($0) = $source.\($0)" } + [
            "cars = \(Self.related)\"cars\", $source.cars)",
            "previousCars = \(Self.related)\"cars\", $source.cars)",
          ]
        ),
        line("SportCar → SportCar by \(policy)", own + links),
        line("nothing → Maker", ["name = nothing", "cars = nothing"]),
      ]
    )
    #expect(
      model.entityMappings.map(\.name)
        == [
          "CarToCar", "LuxuryCarToLuxuryCar", "PersonToPerson", "SportCarToSportCar", "Maker",
        ]
    )
    #expect(model.entityMappings.map(\.kind) == [.custom, .custom, .copy, .custom, .add])
    let starts = model.entityMappings.map { mapping in
      [mapping.sourceHash, mapping.destinationHash].map { hash in
        hash.map { "\($0.count) \($0.prefix(4).map { String($0, radix: 16) }.joined())" }
      }
    }
    #expect(
      starts == [
        ["32 7e503efb", "32 9484c5a9"], ["32 a873c559", "32 bc17324d"],
        ["32 67ae62e", "32 99cf25fe"], ["32 722a55b5", "32 69746edb"], [nil, "32 c68d3960"],
      ]
    )
    let fetch = "FUNCTION($manager, \"fetchRequestForSourceEntityNamed:predicateString:\", "
    #expect(
      model.entityMappings.map { $0.sourceExpression?.description }
        == ["Car", "LuxuryCar", "Person", "SportCar"].map {
          "FETCH(\(fetch)\"\($0)\", \"TRUEPREDICATE\"), $manager.sourceContext, NO)"
        } + [nil]
    )
  }

  @Test func `what is compiled is what its source becomes`() throws {
    let folder = "coredataplus/SampleModel.xcdatamodeld"
    let source = try ModelLocation(ModelAgreementTests.path(folder + "#SampleModel2")).read()
    let destination = try ModelLocation(ModelAgreementTests.path(folder + "#SampleModel3")).read()
    let edited = try Self.read("coredataplus/V2toV3.xcmappingmodel")
      .completed(from: source, to: destination)
    var compiled = try Self.read("coredataplus/V2toV3.cdm")
    #expect(compiled.completed(from: source, to: destination) == compiled)
    // Only Core Data can compute the hashes.
    for index in compiled.entityMappings.indices {
      compiled.entityMappings[index].sourceHash = nil
      compiled.entityMappings[index].destinationHash = nil
    }
    #expect(edited.entityMappings == compiled.entityMappings)
  }

  /// A step of a real model: the mapping model, the bundle and its two versions.
  static let steps: [(file: String, bundle: String, from: String, to: String)] = [
    ("coredataplus/V2toV3.xcmappingmodel", "coredataplus/SampleModel.xcdatamodeld", "SampleModel2", "SampleModel3"),
    ("coredataplus/V2toV3.cdm", "coredataplus/SampleModel.momd", "SampleModel2", "SampleModel3"),
    ("coredataplus/V2toV3.cdm", "coredataplus/SampleModel.xcdatamodeld", "SampleModel2", "SampleModel3"),
    ("cyface/V10toV11.xcmappingmodel", "cyface/CyfaceModel.xcdatamodeld", "10", "11"),
    ("cyface/V3toV4.xcmappingmodel", "cyface/CyfaceModel.xcdatamodeld", "3", "4"),
    ("issue4/Model1_to_Model2.xcmappingmodel", "issue4/Model.xcdatamodeld", "Model1", "Model2"),
    ("issue4/Model2_to_Model3.xcmappingmodel", "issue4/Model.xcdatamodeld", "Model2", "Model3"),
    ("issue4/Model2_to_Model3_User.xcmappingmodel", "issue4/Model.xcdatamodeld", "Model2", "Model3"),
    ("moody/Moody 2-Moody 3.xcmappingmodel", "moody/Moody.xcdatamodeld", "Moody 2", "Moody 3"),
    ("moody/Moody 3-Moody 4.xcmappingmodel", "moody/Moody.xcdatamodeld", "Moody 3", "Moody 4"),
    ("moody/Moody 4-Moody 5.xcmappingmodel", "moody/Moody.xcdatamodeld", "Moody 4", "Moody 5"),
    ("moody/Moody 5-Moody 6.xcmappingmodel", "moody/Moody.xcdatamodeld", "Moody 5", "Moody 6"),
    (
      "wibosco/Migration2to3ModelMapping.xcmappingmodel",
      "wibosco/CoreDataMigration_Example.xcdatamodeld",
      "CoreDataMigration_Example 2", "CoreDataMigration_Example 3"
    ),
  ]

  @Test(arguments: steps)
  func `it fits the step that it was made for, and no other of the model`(
    _ step: (file: String, bundle: String, from: String, to: String)
  ) throws {
    let model = try Self.read(step.file)
    let versions = try ModelLocation(ModelAgreementTests.path(step.bundle)).versions()
    var fitting: [String] = []
    for source in versions {
      for destination in versions where source.name != destination.name {
        if try model.misfit(from: source.read(), to: destination.read()) == nil {
          fitting.append("\(source.name) → \(destination.name)")
        }
      }
    }
    #expect(fitting == ["\(step.from) → \(step.to)"])
  }
}
