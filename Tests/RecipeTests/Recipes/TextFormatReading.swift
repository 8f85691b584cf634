import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import DecantRecipeFormats

/// What a format finds in a text.
struct ReadText {
  var recipes: [Recipe] = []
  var faults: [RecipeFault] = []
  var warnings: [String] = []

  /// Reads `bytes` as a file called `name`.
  init(_ bytes: some Collection<UInt8>, as format: any TextRecipeFormat.Type, name: String = "recipes.txt") throws {
    let folder = try TestSupport.TemporaryFolder()
    let context = RecipeContext(entry: name, pictures: try RecipePictures(in: folder.url.path))
    var (recipes, faults, warnings) = ([Recipe](), [RecipeFault](), [String]())
    try format.read(ReadText.lines(bytes), context) { result in
      switch result {
      case .success(let recipe): recipes.append(recipe)
      case .failure(let fault): faults.append(fault)
      }
      warnings += context.takeWarnings()
    }
    (self.recipes, self.faults, self.warnings) = (recipes, faults, warnings)
  }

  /// Lines of `bytes`, handed on in small pieces.
  static func lines(_ bytes: some Collection<UInt8>, limit: Int = 8 << 20) -> TextLines {
    var rest = Array(bytes)[...]
    return TextLines(limit: limit) { buffer in
      let piece = rest.prefix(min(buffer.count, 1000))
      buffer.copyBytes(from: piece)
      rest = rest.dropFirst(piece.count)
      return piece.count
    }
  }
}

/// The real recipe files and what an independent reader found in them.
enum RecipeFixtures {
  /// The bytes of a file.
  static func bytes(_ path: String) throws -> [UInt8] {
    let folder = try #require(Fixtures.folder)
    return Array(try Data(contentsOf: folder.appendingPathComponent("recipes/\(path)")))
  }

  /// The titles that are in a file, in order; "" for one that its name gives.
  static func titles(_ path: String) throws -> [String] {
    let file = try #require(Fixtures.folder).appendingPathComponent("recipes/expected.json")
    let all = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
    let entry = try #require(all?[path] as? [String: Any])
    return try #require(entry["titles"] as? [Any]).map { $0 as? String ?? "" }
  }
}
