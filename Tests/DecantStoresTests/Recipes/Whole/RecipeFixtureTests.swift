import Decant
import DecantStores
import Foundation
import TestSupport
import Testing

/// All real recipe files, held against what an independent reader found in them.
@Suite(.enabled(if: Fixtures.areAvailable)) struct RecipeFixtureTests {
  private let shelf: RecipeShelf

  init() throws { shelf = try RecipeShelf() }

  /// What `expected.json` says of a file.
  struct Expected: Decodable {
    struct Picture: Decodable {
      let sha256: String
      let optional: Bool
    }

    let recipes: Int?
    let titles: [String?]
    let images: [Picture]
    let importable: Bool
  }

  private static let all: [String: Expected] = {
    guard let folder = Fixtures.folder,
      let data = try? Data(contentsOf: folder.appendingPathComponent("recipes/expected.json"))
    else { return [:] }
    return (try? JSONDecoder().decode([String: Expected].self, from: data)) ?? [:]
  }()

  @Test func `expected files are known`() {
    #expect(Self.all.count >= 60)
    #expect(Set(Self.exceptions.keys).isSubset(of: Self.all.keys))
  }

  /// Files that hold no recipe, and what is said of each.
  private static let exceptions = [
    // Tests of a parser, not a recipe: nothing that decant knows.
    "cooklang/cooklang-spec-canonical.yaml": "is no archive",
    // The only block of JSON-LD says “foo”.
    "schemaorg/nextcloud-cookbook-caseD.html": "page without a recipe",
  ]

  @Test(arguments: all.keys.sorted())
  func `a real file is imported whole, and once`(_ name: String) throws {
    let expected = try #require(Self.all[name])
    let file = try RecipeShelf.fixture(name)
    let before = try Data(contentsOf: URL(fileURLWithPath: file))
    defer { #expect((try? Data(contentsOf: URL(fileURLWithPath: file))) == before) }
    if let reason = Self.exceptions[name] {
      #expect(expected.recipes ?? 0 == 0)
      let error = #expect(throws: DecantError.self) { try shelf.import(file) }
      let said = "\(error?.message ?? "") \(error?.place ?? "")"
      #expect(said.contains(reason), "\(said)")
      return
    }
    let report = try shelf.import(file)
    #expect(report.isVerified)
    #expect(report.unread == [])
    let content = try shelf.content()
    #expect(content.faults == [])
    #expect(content.recipes.count == expected.recipes)
    #expect(report["Recipe"]?.copied == expected.recipes.map(Int64.init))
    let titles = content.titles.map { $0.hasPrefix("Untitled (") ? "Untitled" : $0 }
    #expect(titles == expected.titles.map { title in Self.title(title, of: name) })
    let pictures = Set(content.pictures)
    let missing = expected.images.filter { !$0.optional && !pictures.contains($0.sha256) }
    #expect(missing.map(\.sha256) == [])
    #expect(pictures.subtracting(expected.images.map(\.sha256)) == [])

    let again = try shelf.import(file)
    #expect(again.copiedCount == 0)
    #expect(try shelf.content() == content)
    let count = content.recipes.count
    #expect(again["Recipe"]?.skipped == Int64(count))
    let note = again.notes.first { $0.contains("there already: ") }
    #expect(note?.hasPrefix("\(count) recipe") == true, "\(again.notes)")
    #expect(!again.notes.contains { $0.contains("other content") }, "\(again.notes)")
  }

  /// The title as decant has it: one that is not there is the file's name in Cooklang, and “Untitled” elsewhere, with the
  /// name of an entry, which is left out here.
  private static func title(_ title: String?, of file: String) -> String {
    let text = title?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    guard text.isEmpty else { return text.precomposedStringWithCanonicalMapping }
    guard file.hasSuffix(".cook") else { return "Untitled" }
    return URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
  }
}
