import Foundation
import TestSupport

@testable import DecantRecipeFormats

/// A place to read JSON in: a spool, and pictures.
final class JSONBench {
  let folder: TestSupport.TemporaryFolder
  let spool: TextSpool
  let pictures: RecipePictures

  init() throws {
    folder = try TestSupport.TemporaryFolder(inMemory: true)
    let texts = folder.url.appendingPathComponent("texts.folder")
    let images = folder.url.appendingPathComponent("pictures.folder")
    for place in [texts, images] {
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    }
    spool = try TextSpool(in: texts.path)
    pictures = try RecipePictures(in: images.path)
  }

  /// A document that comes in pieces of at most `piece` bytes.
  func document(_ bytes: [UInt8], piece: Int = .max, limits: JSONDocument.Limits = .init()) -> JSONDocument {
    var rest = bytes[...]
    return JSONDocument(spool: spool, limits: limits) { buffer in
      let count = min(rest.count, buffer.count, piece)
      buffer.copyBytes(from: rest.prefix(count))
      rest = rest.dropFirst(count)
      return count
    }
  }

  func read(_ text: String, piece: Int = .max, limits: JSONDocument.Limits = .init()) throws -> DocumentValue {
    try document(Array(text.utf8), piece: piece, limits: limits).read()
  }

  func read(_ file: URL) throws -> DocumentValue {
    try document(Array(Data(contentsOf: file))).read()
  }

  func context(_ entry: String = "recipe.json") -> RecipeContext {
    RecipeContext(entry: entry, pictures: pictures)
  }

  /// The SHA-256 of each picture that `recipe` has taken.
  func digests(_ recipe: Recipe) throws -> [String] {
    try recipe.images.compactMap { image in
      guard case .taken(let number) = image.place else { return nil }
      return try pictures.picture(number)?.digest()
    }
  }
}

extension DocumentValue {
  /// The value on one line, texts in quotes as they are.
  var shown: String {
    get throws {
      switch self {
      case .null: "null"
      case .bool(let value): "\(value)"
      case .number(let digits): digits
      case .text(let text): try "\"\(text.string)\""
      case .array(let elements):
        try "[" + elements.map { try $0.shown }.joined(separator: ",") + "]"
      case .object(let members):
        try "{" + members.map { try "\($0):\($1.shown)" }.joined(separator: ",") + "}"
      }
    }
  }
}

/// What the recipe files among the fixtures hold, as an independent reader found it.
struct ExpectedRecipes: Decodable {
  struct Image: Decodable {
    let sha256: String
    let optional: Bool
  }

  let recipes: Int
  let titles: [String]
  let images: [Image]

  /// What is expected of `file`, a path below `recipes/`.
  static func of(_ file: String) throws -> ExpectedRecipes {
    let data = try Data(contentsOf: Self.place(file: "expected.json"))
    guard let found = try JSONDecoder().decode([String: Entry].self, from: data)[file]?.expected
    else {
      throw CocoaError(.fileNoSuchFile)
    }
    return found
  }

  /// Where `file` is.
  static func place(file: String) throws -> URL {
    guard let folder = Fixtures.folder else { throw CocoaError(.fileNoSuchFile) }
    return folder.appendingPathComponent("recipes/\(file)")
  }

  /// Unpacks `file`, a zip, into a folder of its own.
  static func unpacked(_ file: URL) throws -> TestSupport.TemporaryFolder {
    let folder = try TestSupport.TemporaryFolder(inMemory: true)
    let run = try Program.run(["unzip", "-q", "-o", file.path, "-d", folder.url.path])
    guard run.status == 0 else { throw Program.Failure(program: "unzip", errors: run.errors) }
    return folder
  }

  /// Not all entries tell of recipes.
  private struct Entry: Decodable {
    let expected: ExpectedRecipes?

    init(from decoder: any Decoder) throws { expected = try? ExpectedRecipes(from: decoder) }
  }
}
