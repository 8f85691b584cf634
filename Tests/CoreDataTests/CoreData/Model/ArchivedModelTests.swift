import DecantContainers
import Decant
import StoreTestSupport
import TestSupport
import Testing

@Suite struct ArchivedModelTests {
  private let model: Model

  init() throws {
    let cache = try Deflate.deflate(SampleModel.archive, format: .raw)
    let hashes = ["Cake": [UInt8](repeating: 7, count: 32)]
    model = try ModelCache.read(cache, versionHashes: hashes, place: "App.sqlite")
  }

  @Test func `entities are numbered as Core Data does`() {
    #expect(model.entities.map(\.name) == ["Ingredient", "Recipe", "Cake"])
    #expect(model.versionIdentifiers == ["v1"])
  }

  @Test func `an entity has its parent, flags, constraints and notes`() {
    #expect(model["Recipe"]?.isAbstract == true)
    #expect(model["Recipe"]?.uniquenessConstraints == [["name", "madeOn"]])
    #expect(model["Recipe"]?.className == "RecipeObject")
    #expect(model["Recipe"]?.userInfo == ["note": "mine"])
    #expect(model["Recipe"]?.renamingIdentifier == nil)
    #expect(model["Cake"]?.superentity == "Recipe")
    #expect(model["Cake"]?.isAbstract == false)
    #expect(model["Cake"]?.renamingIdentifier == "Pie")
    #expect(model["Ingredient"]?.versionHashModifier == "2")
  }

  @Test func `version hashes are those the caller knows`() {
    #expect(model["Cake"]?.versionHash == [UInt8](repeating: 7, count: 32))
    #expect(model["Recipe"]?.versionHash == nil)
  }

  @Test func `attributes have their types, flags and defaults`() {
    #expect(
      model["Recipe"]?.attributes == [
        // A default of an app's own class is no value decant could give.
        Attribute(name: "cover", type: .transformable, valueTransformer: "CoverTransformer"),
        Attribute(name: "ingredientCount", type: .integer64, isOptional: true, derivation: "count:(ingredients)"),
        Attribute(name: "madeOn", type: .date, defaultValue: .date(3600)),
        Attribute(name: "name", type: .string, isOptional: true, defaultValue: .text("untitled")),
        Attribute(
          name: "picture",
          type: .binary,
          allowsExternalStorage: true,
          isPreservedInHistory: true,
          renamingIdentifier: "image"
        ),
        Attribute(name: "price", type: .decimal, defaultValue: .decimal("1")),
      ]
    )
  }

  @Test func `an inherited property is not repeated`() {
    #expect(
      model["Cake"]?.attributes == [
        Attribute(name: "layers", type: .integer16, isTransient: true, defaultValue: .integer(2))
      ]
    )
  }

  @Test func `relationships are to many unless they are bound to one`() {
    #expect(
      model["Recipe"]?.relationships == [
        Relationship(
          name: "ingredients",
          destination: "Ingredient",
          inverse: "recipe",
          isToMany: true,
          isOrdered: true,
          deleteRule: .cascade
        )
      ]
    )
    #expect(
      model["Ingredient"]?.relationships == [
        Relationship(name: "recipe", destination: "Recipe", inverse: "ingredients", minCount: 1, maxCount: 1),
        Relationship(name: "seeAlso", destination: "Ingredient", isToMany: true, deleteRule: .noAction),
      ]
    )
  }

  @Test func `damage is an error or a model, never a trap`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("App.mom")
    for position in SampleModel.archive.indices {
      var damaged = SampleModel.archive
      damaged[position] ^= [0xFF, 0x01, 0x10][position % 3]
      let cache = try Deflate.deflate(damaged, format: .raw, level: 1)
      do {
        _ = try ModelCache.read(cache, place: path)
      } catch {
        #expect(error.family == .corruptStore)
        #expect(error.place == path)
      }
    }
  }

  @Test func `a damaged cache is an error or a model, never a trap`() throws {
    let whole = try Deflate.deflate(SampleModel.archive, format: .raw)
    for position in whole.indices {
      var damaged = whole
      damaged[position] ^= 0x55
      _ = try? ModelCache.read(damaged, place: "")
      #expect(throws: DecantError.self) {
        try ModelCache.read([UInt8](whole[..<position]), place: "")
      }
    }
  }
}
