import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import DecantCoreData

/// Damaged and hostile mapping models: an error with a place, never a trap or a run without end.
@Suite struct MappingModelDamageTests {
  private let folder: TestSupport.TemporaryFolder
  private var place: String { folder.path("Step.cdm") }

  init() throws { folder = try TestSupport.TemporaryFolder() }

  private func error(_ bytes: some Sequence<UInt8>) throws -> DecantError {
    try Data(bytes).write(to: URL(fileURLWithPath: place))
    return try error()
  }

  private func error() throws -> DecantError {
    let error = try #require(#expect(throws: DecantError.self) { try MappingModel.read(place) })
    #expect(error.family == .corruptStore && error.place == place)
    return error
  }

  private static let mapping =
    "[{'name': 'AToB', 'source': 'A', 'destination': 'B', 'attributes': {'x': path('one.y')}, "
    + "'relationships': {'r': through('AToB', path('r'))}}]"

  @Test func `what is no mapping model`() throws {
    #expect(try error("nothing of the sort".utf8).message == "“Step.cdm” is not a mapping model")
    #expect(try error([]).message == "“Step.cdm” is not a mapping model")
    try MadeMappingModel.run(
      place,
      "save(sys.argv[1], put({'$class': of('NSManagedObjectModel'), 'NSEntities': U(0)}))"
    )
    #expect(try error().message == "“Step.cdm” is a model, not a mapping model")
    try MadeMappingModel.run(place, "save(sys.argv[1], U(0))")
    #expect(try error().message == "“Step.cdm” is not a mapping model")
    #expect(
      try error("<plist/>".utf8).message
        .hasPrefix("the mapping model is damaged: the outermost element is not <database>")
    )
    let empty = #expect(throws: DecantError.self) { try MappingModel.read(folder.url.path) }
    #expect(
      empty?.family == .corruptStore
        && empty?.message.contains("it does not contain xcmapping.xml") == true
    )
    let none = #expect(throws: DecantError.self) { try MappingModel.read(folder.path("None.cdm")) }
    #expect(none?.family == .storeNotFound)
  }

  @Test func `every cut of a compiled one is told, every flipped byte survived`() throws {
    try MadeMappingModel.write(place, Self.mapping)
    let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: place)))
    let intact = try CompiledMappingModel.read(whole, place: place)
    #expect(intact.entityMappings.count == 1)
    for count in whole.indices {
      #expect(throws: DecantError.self, "cut at \(count)") {
        try CompiledMappingModel.read(Array(whole[..<count]), place: place)
      }
    }
    var random = SeededGenerator(seed: 5)
    var refused = 0
    for position in whole.indices {
      var damaged = whole
      damaged[position] ^= .random(in: 1...255, using: &random)
      do throws(DecantError) {
        _ = try CompiledMappingModel.read(damaged, place: place)
      } catch {
        #expect(error.family == .corruptStore, "\(position)")
        refused += 1
      }
    }
    #expect(refused > whole.count / 10)
  }

  @Test(arguments: [
    ("c = call(var('source'), 'f:'); objects[c.data]['NSArguments'] = array([c])", "is circular"),
    ("c = path('x'); objects[c.data]['NSOperand'] = c", "is circular"),
    ("c = const(1)\nfor _ in range(35): c = call(c, 'f:', c)", "is circular"),
    ("c = put({'$class': of('NSFunctionExpression'), 'NSExpressionType': 4})", "a function without a name"),
    ("c = put('text')", "the expression of AToB.x is not valid"),
    ("c = put({'$class': of('NSVariableExpression'), 'NSExpressionType': 2})", "a damaged NSVariableExpression"),
  ])
  func `expressions that lead nowhere or everywhere`(_ lines: String, _ message: String) throws {
    try MadeMappingModel.run(
      place,
      lines
        + "\nwrite(sys.argv[1], [{'name': 'AToB', 'source': 'A', 'destination': 'B', 'attributes': {'x': c}}])"
    )
    #expect(try error().message.contains(message))
  }

  @Test func `unknown types, missing names, and more than there ever were`() throws {
    try MadeMappingModel.write(place, "[{'name': 'AToB', 'type': 6}]")
    #expect(try error().message == "the mapping model is damaged: AToB has the unknown type 6")
    try MadeMappingModel.write(place, "[{'name': '', 'type': 5}]")
    #expect(try error().message == "the mapping model is damaged: an entity mapping has no name")
    try MadeMappingModel.write(place, "[{'name': 'AToB', 'attributes': {'': None}}]")
    #expect(try error().message == "the mapping model is damaged: a property in AToB has no name")
    try MadeMappingModel.run(
      place,
      """
      few = properties({str(n): None for n in range(1000)})
      one = entity({'name': 'AToB'}); objects[one.data]['NSAttributeMappings'] = few
      save(sys.argv[1], put({'$class': of('NSMappingModel'), 'NSEntityMappings': array([one] * 200)}))
      """
    )
    #expect(try error().message.contains("too many property mappings"))
    try MadeMappingModel.run(
      place,
      "save(sys.argv[1], put({'$class': of('NSMappingModel'), 'NSEntityMappings': array([entity({'name': 'A'})] * 16000)}))"
    )
    #expect(try error().message.contains("too many entity mappings"))
  }

  // MARK: As Xcode edits it

  /// An `xcmapping.xml` of one entity mapping with one attribute.
  private func text(entity: String = "", attribute: String = "", before: String = "", model: String = "z2") -> String {
    """
    <?xml version="1.0"?>\(before)
    <database><databaseInfo><UUID>X</UUID></databaseInfo>
      <object type="XDDEVMAPPINGMODEL" id="z1">
        <attribute name="sourcemodelpath" type="string">App 1.xcdatamodel</attribute>
        <relationship name="entitymappings" idrefs="\(model)"></relationship>
      </object>
      <object type="XDDEVENTITYMAPPING" id="z2">
        <attribute name="sourcename" type="string">A</attribute>
        <attribute name="destinationname" type="string">B</attribute>\(entity)
        <relationship name="attributemappings" idrefs="z3"></relationship>
      </object>
      <object type="XDDEVATTRIBUTEMAPPING" id="z3"><attribute name="name" type="string">x</attribute>\(attribute)</object>
    </database>
    """
  }

  @Test func `one that is whole`() throws {
    try Data(text().utf8).write(to: URL(fileURLWithPath: place))
    let model = try MappingModel.read(place)
    #expect(model.entityMappings.map(\.name) == ["AToB"])
    #expect(model.entityMappings.first?.attributes == [.init("x", .automatic)])
    #expect(model.source?.versionName == "App 1" && model.destination == nil)
  }

  @Test func `every cut of an edited one is told`() throws {
    let whole = Array(text().utf8)
    for count in stride(from: 0, to: whole.count - 12, by: 3) {
      #expect(throws: DecantError.self, "cut at \(count)") {
        try SourceMappingModel.read(Array(whole[..<count]), place: place)
      }
    }
  }

  private static func attribute(_ name: String, _ value: String) -> String {
    "<attribute name=\"\(name)\">\(value)</attribute>"
  }

  @Test func `what does not hold together is told with its line`() throws {
    func message(_ text: String) throws -> String { try error(text.utf8).message }
    let damaged = "the mapping model is damaged: "
    #expect(
      try message(text(model: "z9"))
        == damaged + "entitymappings refers to a missing object “z9” (line 3)"
    )
    #expect(try message(text(model: "z3")).contains("an entity mapping is of type XDDEVATTRIBUTEMAPPING"))
    #expect(
      try message(text(entity: Self.attribute("mappingtypename", "Sideways")))
        == damaged + "an entity mapping has the unknown type “Sideways” (object z2, line 7)"
    )
    #expect(
      try message(text(attribute: Self.attribute("valueexpressiondata", "$$$")))
        == damaged + "valueexpressiondata is not valid base64 (object z3, line 12)"
    )
    #expect(
      try message(text(attribute: Self.attribute("valueexpressiondata", "YnBsaXN0MDA=")))
        .contains("valueexpressiondata: ")
    )
    #expect(
      try message(text(attribute: Self.attribute("sourcekeypath", "$source.")))
        == damaged
        + "the key path of AToB.x “$source.”: no name follows the “.” (column 9) (object z3, line 12)"
    )
    #expect(
      try message(text().replacing("id=\"z3\"", with: "id=\"z2\"")).contains("two objects have the identifier “z2”")
    )
    #expect(try message("<database></database>") == "“Step.cdm” is not a mapping model")
    #expect(try message(text().replacing("</database>", with: "")).hasPrefix(damaged))
  }

  @Test func `what is not known is kept, and refused`() throws {
    let unknown = text(entity: Self.attribute("somethingnew", "1"), attribute: Self.attribute("other", "2"))
    let model = try SourceMappingModel.read(Array(unknown.utf8), place: place)
    let both = ["A", "B"].map {
      Model(entities: [
        Entity(name: $0, attributes: [Attribute(name: "x", type: .string, isOptional: true)])
      ])
    }
    let error = #expect(throws: DecantError.self) {
      try model.conversion(from: both[0], to: both[1])
    }
    #expect(
      error?.message.hasSuffix(
        "AToB has “other”, which decant does not know; AToB has “somethingnew”, which decant does not know"
      ) == true
    )
  }

  @Test func `a filter predicate of an edited one is taken`() throws {
    let filtered = text(entity: Self.attribute("sourcefilterpredicatestring", "x == &quot;a&quot;"))
    let model = try SourceMappingModel.read(Array(filtered.utf8), place: place)
    let both = ["A", "B"].map {
      Model(entities: [
        Entity(name: $0, attributes: [Attribute(name: "x", type: .string, isOptional: true)])
      ])
    }
    let mapping = try model.conversion(from: both[0], to: both[1]).mapping
    #expect(mapping.entities.map { $0.condition?.text } == ["\"A\".\"x\" = 'a'"])
  }

  @Test func `nothing unfolds, and nothing outside is read`() throws {
    let secret = folder.path("secret.txt")
    try Data("secret".utf8).write(to: URL(fileURLWithPath: secret))
    let bomb = """
      <!DOCTYPE database [<!ENTITY a "aaaaaaaaaaaaaaaa">\
      \((1...30).map { "<!ENTITY a\($0) \"\(String(repeating: "&a\($0 == 1 ? "" : "\($0 - 1)");", count: 16))\">" }.joined())]>
      """
    let unfolding = text(entity: Self.attribute("migrationpolicyclassname", "&a30;"), before: bomb)
    #expect(try error(unfolding.utf8).message.contains("declares its own entities"))
    let outside = text(
      entity: Self.attribute("migrationpolicyclassname", "&s;"),
      before: "<!DOCTYPE database [<!ENTITY s SYSTEM \"file://\(secret)\">]>"
    )
    #expect(try error(outside.utf8).message.contains("declares its own entities"))
    let deep = "<database>" + String(repeating: "<object>", count: 100_000)
    #expect(try error(deep.utf8).message.contains("nested more than 30 levels deep"))
    let many =
      "<database>" + (0...200_000).map { "<object id=\"\($0)\"/>" }.joined() + "</database>"
    #expect(try error(many.utf8).message.contains("too many objects"))
  }
}

/// The real mapping models, with some of their bytes damaged.
@Suite(.enabled(if: Fixtures.areAvailable)) struct MappingModelFlipTests {
  @Test(arguments: [
    "coredataplus/V2toV3.cdm", "moody/Moody 4-Moody 5.xcmappingmodel/xcmapping.xml",
  ])
  func `a flipped byte is an error or another mapping model, never a trap`(_ file: String) throws {
    let place = try ModelAgreementTests.path(file)
    let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: place)))
    let bundle = try ModelAgreementTests.path("moody/Moody.xcdatamodeld")
    let (source, destination) = (
      try ModelLocation(bundle + "#Moody 4").read(), try ModelLocation(bundle + "#Moody 5").read()
    )
    for seed in SeededGenerator.seeds(3) {
      var random = SeededGenerator(seed: seed)
      for _ in 0..<40 {
        var damaged = whole
        let position = Int.random(in: damaged.indices, using: &random)
        damaged[position] ^= .random(in: 1...255, using: &random)
        do throws(DecantError) {
          let model =
            file.hasSuffix(".cdm")
            ? try CompiledMappingModel.read(damaged, place: place)
            : try SourceMappingModel.read(damaged, place: place)
          _ = model.misfit(from: source, to: destination)
          _ = try model.conversion(from: source, to: destination)
        } catch {
          #expect([.corruptStore, .modelMismatch].contains(error.family), "seed \(seed): \(position)")
        }
      }
    }
  }
}
