import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import DecantCoreData

/// Whether a mapping model is one for a step.
@Suite struct MappingModelFitTests {
  private let folder: TestSupport.TemporaryFolder

  init() throws { folder = try TestSupport.TemporaryFolder() }

  private func model(_ hash: UInt8?, _ attributes: String..., entity: String = "A") -> NamedModel {
    NamedModel(
      name: "V\(hash ?? 0)",
      place: "",
      model: Model(entities: [
        Entity(
          name: entity,
          attributes: attributes.map { Attribute(name: $0, type: .string, isOptional: true) },
          versionHash: hash.map { [UInt8](repeating: $0, count: 32) }
        )
      ])
    )
  }

  private func mappingModel(_ hashes: String = "") throws -> MappingModel {
    let place = folder.path("Step.cdm")
    try MadeMappingModel.write(
      place,
      "[{'name': 'AToA', 'source': 'A', 'destination': 'A', \(hashes) 'attributes': {'y': path('x')}}]"
    )
    return try MappingModel.read(place)
  }

  @Test func `hashes decide where both sides know them`() throws {
    let model = try mappingModel("'sourceHash': b'\\x01' * 32, 'destinationHash': b'\\x02' * 32,")
    func misfit(_ source: NamedModel, _ destination: NamedModel) -> String? {
      model.misfit(from: source.model, to: destination.model)
    }
    #expect(misfit(self.model(1, "x"), self.model(2, "y")) == nil)
    #expect(misfit(self.model(nil, "x"), self.model(nil, "y")) == nil)
    #expect(misfit(self.model(3, "x"), self.model(2, "y")) == "AToA comes from a different version of A")
    #expect(misfit(self.model(1, "x"), self.model(1, "y")) == "AToA leads to a different version of A")
  }

  @Test func `names decide where there are no hashes`() throws {
    let model = try mappingModel()
    func misfit(_ source: NamedModel, _ destination: NamedModel) -> String? {
      model.misfit(from: source.model, to: destination.model)
    }
    #expect(misfit(self.model(1, "x"), self.model(2, "y")) == nil)
    #expect(misfit(self.model(1, "z"), self.model(2, "y")) == "AToA reads A.x, which does not exist")
    #expect(
      misfit(self.model(1, "x"), self.model(2, "x"))
        == "AToA sets A.y, but there is no such attribute"
    )
    #expect(
      misfit(self.model(1, "x", entity: "B"), self.model(2, "y"))
        == "AToA comes from an entity A, which does not exist"
    )
    #expect(
      misfit(self.model(1, "x"), self.model(2, "y", entity: "B"))
        == "AToA leads to an entity A, which does not exist"
    )
  }

  @Test func `other models are refused with what to do`() throws {
    let model = try mappingModel()
    try model.checkFits(from: self.model(1, "x"), to: self.model(2, "y"))
    let error = #expect(throws: DecantError.self) {
      try model.checkFits(from: self.model(1, "z"), to: self.model(2, "y"))
    }
    #expect(error?.family == .modelMismatch)
    #expect(error?.message == "“Step.cdm” is not a mapping model from “V1” to “V2”")
    #expect(error?.place == "\(folder.path("Step.cdm")): AToA reads A.x, which does not exist")
    #expect(error?.advice?.commandLine.contains("--mapping") == true)
  }

  @Test func `an edited one remembers the names of all entities and properties`() throws {
    var model = try mappingModel()
    model.source = MappingModel.RecordedModel(path: "App.xcdatamodeld/V1.xcdatamodel", properties: ["A": ["x"]])
    model.destination = MappingModel.RecordedModel(path: "", properties: ["A": ["y"]])
    #expect(model.source?.versionName == "V1")
    #expect(model.misfit(from: self.model(nil, "x").model, to: self.model(nil, "y").model) == nil)
    #expect(
      model.misfit(from: self.model(nil, "x", "z").model, to: self.model(nil, "y").model)
        == "it comes from a model without A.z, which exists"
    )
    #expect(
      model.misfit(from: self.model(nil, "x").model, to: self.model(nil).model)
        == "it leads to a model with A.y, which does not exist"
    )
    #expect(
      model.misfit(from: self.model(nil, "x", entity: "B").model, to: self.model(nil, "y").model)
        == "it comes from a model with an entity A, which does not exist"
    )
    model.source?.properties = [:]
    #expect(
      model.misfit(from: self.model(nil, "x").model, to: self.model(nil, "y").model)
        == "it comes from a model without an entity A, which exists"
    )
  }
}
