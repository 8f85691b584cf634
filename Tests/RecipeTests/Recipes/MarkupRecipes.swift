import Foundation
import TestSupport
import Testing

@testable import DecantRecipeFormats
@testable import DecantRecipes

/// Recipes read by a format of XML or HTML, for tests.
struct MarkupRecipes {
  var recipes: [Recipe] = []
  /// The SHA-256 of each picture of each recipe; `nil` for a file that is not there.
  var digests: [[String?]] = []
  var faults: [String] = []
  /// What the document was warned of.
  var warnings: [String] = []

  /// Reads `bytes` with `format`, pictures in files being looked for in `folder`.
  init(_ format: any MarkupRecipeFormat.Type, _ bytes: [UInt8], isHTML: Bool = false, folder: URL? = nil) throws {
    try Self.withFolders { texts, pictures in
      let context = RecipeContext(entry: "file", pictures: pictures)
      let document = try MarkupDocument(spool: texts, isHTML: isHTML, MarkupText.fill(bytes))
      let root = try #require(try document.root())
      let isKnown = format.matches(root: root)
      #expect(isKnown)
      try document.forEachRecord(isRecord: { format.isRecord($0, path: $1) }) { element in
        do {
          guard let recipe = try format.recipe(element, context) else { return }
          try take(recipe, context, folder)
        } catch let fault as RecipeFault {
          faults.append(fault.message)
        }
      }
      warnings = document.takeWarnings()
    }
  }

  init() {}

  /// Adds a recipe as a store would, its warnings and the digests of its pictures with it.
  mutating func take(_ recipe: Recipe, _ context: RecipeContext, _ folder: URL?) throws {
    var recipe = recipe
    recipe.complete()
    recipe.warnings += context.takeWarnings()
    recipes.append(recipe)
    digests.append(
      try recipe.images.map { image in
        switch image.place {
        case .taken(let number): return try context.pictures.picture(number)?.digest()
        case .file(let names):
          for name in names {
            guard
              let data = try? Data(
                contentsOf: (folder ?? URL(fileURLWithPath: "/nowhere")).appendingPathComponent(name)
              )
            else { continue }
            let number = try context.pictures.take { take in
              try data.withUnsafeBytes { try take($0) }
            }
            return try context.pictures.picture(number)?.digest()
          }
          return nil
        }
      }
    )
    context.pictures.clear()
  }

  /// Calls `body` with an empty spool and a place for pictures.
  static func withFolders(_ body: (TextSpool, RecipePictures) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let places = try ["texts", "pictures"].map { name in
      let place = folder.appendingPathComponent(name)
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      return place.path
    }
    try body(TextSpool(in: places[0]), RecipePictures(in: places[1]))
  }
}

/// A real recipe file, and what an independent reader found in it.
struct RecipeFixture {
  let file: URL
  let titles: [String]
  /// The pictures that must be found, and those that may be.
  let wanted: Set<String>
  let optional: Set<String>

  init(_ name: String) throws {
    let folder = try #require(Fixtures.folder).appendingPathComponent("recipes")
    let data = try Data(contentsOf: folder.appendingPathComponent("expected.json"))
    let all = try #require(try JSONSerialization.jsonObject(with: data) as? [String: [String: Any]])
    let entry = try #require(all[name])
    file = folder.appendingPathComponent(name)
    titles = try #require(entry["titles"] as? [String])
    let images = entry["images"] as? [[String: Any]] ?? []
    func digests(isOptional: Bool) -> Set<String> {
      Set(
        images.filter { ($0["optional"] as? Bool ?? false) == isOptional }.compactMap {
          $0["sha256"] as? String
        }
      )
    }
    wanted = digests(isOptional: false)
    optional = digests(isOptional: true)
  }

  /// Unpacks the file, a zip, into a new folder, calls `body` with it and removes it.
  func withUnpacked(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    try #require(try Program.run(["python3", "-m", "zipfile", "-e", file.path, folder.path]).status == 0)
    try body(folder)
  }

  /// Checks titles and pictures.
  func check(_ read: MarkupRecipes, _ location: SourceLocation = #_sourceLocation) {
    #expect(read.recipes.map(\.title) == titles, sourceLocation: location)
    #expect(read.faults.isEmpty, sourceLocation: location)
    let found = Set(read.digests.joined().compactMap { $0 })
    #expect(wanted.subtracting(found).isEmpty, sourceLocation: location)
    #expect(found.subtracting(wanted).subtracting(optional).isEmpty, sourceLocation: location)
    for (recipe, digests) in zip(read.recipes, read.digests) {
      #expect(
        Set(digests.compactMap { $0 }).count == digests.compactMap { $0 }.count,
        "\(recipe.title) has a picture twice",
        sourceLocation: location
      )
      #expect(recipe.warnings.isEmpty, sourceLocation: location)
      #expect(!recipe.images.contains { $0.step.map { !recipe.steps.indices.contains($0) } ?? false })
    }
  }
}
