import Testing

@testable import DecantMigrate

/// Which mapping model is for which step, as the names in real projects have it.
@Suite struct StepNameTests {
  @Test(arguments: [
    ("m/Moody 4-Moody 5.xcmappingmodel", "Moody 4", "Moody 5", true),
    ("m/Moody 4-Moody 5.xcmappingmodel", "Moody 5", "Moody 6", false),
    ("V10toV11.xcmappingmodel", "10", "11", true), ("V10toV11.xcmappingmodel", "1", "11", false),
    ("Migration2to3ModelMapping.xcmappingmodel", "Example 2", "Example 3", true),
    ("V2toV3.cdm", "SampleModel2", "SampleModel3", true),
    ("Model1_to_Model2.xcmappingmodel", "Model1", "Model2", true),
    ("V1toV2.cdm", "SampleModel", "SampleModel2", true),
    ("2.9 to 2.10.cdm", "App 2.9", "App 2.10", true), ("Mapping.cdm", "App", "App 2", false),
  ])
  func `a name has the numbers of both versions`(_ place: String, _ from: String, _ to: String, _ fits: Bool) {
    #expect(StepName.fits(place, from: from, to: to) == fits)
  }
}
