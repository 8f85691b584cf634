import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// What `--root` and `--rule` refuse, before anything is written.
@Suite struct ClosureRefusalTests {
  private let place: Kitchens

  init() throws { place = try Kitchens() }

  private func refusal(_ configure: (inout CopyOptions) -> Void) throws -> DecantError {
    let error = try #require(throws: DecantError.self) {
      try place.copy(place.kitchen, to: place.out, configure)
    }
    #expect(!FileManager.default.fileExists(atPath: place.out))
    #expect(error.remedy != nil)
    return error
  }

  @Test(arguments: [
    ("Recip", "1", "there is no entity Recip"), ("Recipe", "titel = 'x'", "no such column: titel"),
    ("Recipe", "1) OR (1", "syntax error"), ("Recipe", "title = 'none'", "no Recipe in"),
    ("Recipe", "1; DROP TABLE ZRECIPE", "syntax error"), ("Recipe", "count(*) > 1", "aggregate"),
    ("Recipe", "load_extension('x')", "not authorized"), ("Recipe", "?1", "parameter"),
  ])
  func `roots that make no sense`(_ entity: String, _ condition: String, _ message: String) throws {
    let error = try refusal {
      $0.roots = [CopyOptions.Filter(entity: entity, expression: condition)]
    }
    #expect(error.family == .usage)
    #expect(error.message.contains(message), "\(error)")
  }

  @Test(arguments: [
    (["Recipe.categry": ClosureRule.stop], "there is no relationship Recipe.categry"),
    (["": .stop], "there is no relationship"), (["Recipe.title": .follow], "no relationship"),
  ])
  func `rules that make no sense`(_ rules: [String: ClosureRule], _ message: String) throws {
    let error = try refusal {
      $0.roots = [CopyOptions.Filter(entity: "Recipe", expression: "1")]
      $0.rules = rules.map { CopyOptions.Rule($0.key, $0.value) }
    }
    #expect(error.family == .usage)
    #expect(error.message.contains(message), "\(error)")
  }

  @Test func `rules that contradict each other, and rules without a root`() throws {
    let both = try refusal {
      $0.roots = [CopyOptions.Filter(entity: "Recipe", expression: "1")]
      $0.rules = [
        CopyOptions.Rule("Recipe.category", .stop), CopyOptions.Rule("Recipe.category", .follow),
      ]
    }
    #expect(both.message.contains("two conflicting rules"))
    let alone = try refusal { $0.rules = [CopyOptions.Rule("Recipe.category", .stop)] }
    #expect(alone.advice?.commandLine.contains("--root") == true)
    let metadata = try refusal {
      $0.roots = [CopyOptions.Filter(entity: "Recipe", expression: "1")]
      $0.keepsMetadata = true
    }
    #expect(metadata.what.commandLine.contains("--keep-metadata"))
  }

  @Test func `one of several roots that finds nothing is named`() throws {
    let error = try refusal {
      $0.roots = [
        CopyOptions.Filter(entity: "Recipe", expression: "1"),
        CopyOptions.Filter(entity: "Tag", expression: "name = 'none'"),
      ]
    }
    #expect(error.message.contains("no Tag in"))
    // What an earlier one has found counts.
    try place.copy(place.kitchen, to: place.out) {
      $0.roots = [
        CopyOptions.Filter(entity: "Tag", expression: "1"),
        CopyOptions.Filter(entity: "Tag", expression: "name NOT NULL"),
      ]
    }
  }

  @Test(arguments: [
    (["Recipe": "1"], ["Recipe.tags": ClosureRule.follow]), (["Recipe": "rating > 1"], [:]),
  ])
  func `a copy is not resumed with another closure`(_ roots: [String: String], _ rules: [String: ClosureRule]) throws {
    let stop = Cancellation()
    var options = CopyOptions()
    options.roots = [CopyOptions.Filter(entity: "Recipe", expression: "1")]
    options.batchSize = 2
    options.leftOver = .resume
    let copy = Copy(from: place.kitchen, to: place.out, options: options)
    let error = try #require(throws: DecantError.self) {
      try copy.run(cancellation: stop) { event in
        if case .working(.began(.copy), _) = event { stop.cancel() }
      }
    }
    #expect(error.family == .interrupted)
    let refused = try #require(throws: DecantError.self) {
      try place.copy(place.kitchen, to: place.out) {
        $0.batchSize = 2
        $0.leftOver = .resume
        $0.roots = roots.map { CopyOptions.Filter(entity: $0.key, expression: $0.value) }
        $0.rules = rules.map { CopyOptions.Rule($0.key, $0.value) }
      }
    }
    #expect(refused.family == .failed, "\(refused)")
    #expect(try place.copy(place.kitchen, to: place.out) { $0 = options }.isVerified)
  }
}
