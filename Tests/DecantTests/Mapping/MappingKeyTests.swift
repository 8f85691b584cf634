import Foundation
import TestSupport
import Testing

@testable import DecantBase
@testable import DecantMapping
@testable import DecantPlan

/// The keys that are read are those that the manual describes, and those that errors suggest.
@Suite struct MappingKeyTests {
  private func manual() throws -> String {
    let path = "Sources/Decant/Decant.docc/Mapping.md"
    return try String(contentsOf: Fixtures.projectFolder.appendingPathComponent(path), encoding: .utf8)
  }

  /// The rows of the table behind a heading: their first columns, and the words in backticks behind it.
  private func rows(behind heading: String) throws -> [(name: String, words: [String])] {
    let manual = try manual()
    let start = try #require(manual.range(of: "\n## \(heading)\n"))
    let section = manual[start.upperBound...].components(separatedBy: "\n## ")[0]
    let lines = section.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst(2)
    return lines.map { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      return (cells[0], cells[1].matches(of: /`([a-z0-9]+)`/).map { String($0.output.1) })
    }
  }

  @Test func `the manual lists all keys, and no others`() throws {
    let rows = try rows(behind: "All keys")
    #expect(rows.map(\.name) == MappingKeys.all.map { $0.owner })
    for (row, keys) in zip(rows, MappingKeys.all) {
      #expect(row.words == keys.names, "\(row.name)")
    }
  }

  @Test func `the manual explains every key of an entity`() throws {
    let told = try rows(behind: "Entities").map { $0.name.replacing("`", with: "") }
    #expect(told.sorted() == MappingKeys.Entity.names.sorted())
  }

  @Test func `a key that is missing a letter is suggested wherever keys are read`() throws {
    let places = [
      ("\(MappingKeys.Root.owner)", MappingKeys.Root.names, "%: 1"),
      ("\(MappingKeys.Contract.owner)", MappingKeys.Contract.names, "contract: { %: 1 }"),
      ("\(MappingKeys.Defaults.owner)", MappingKeys.Defaults.names, "defaults: { %: 1 }"),
      ("\(MappingKeys.Merge.owner)", MappingKeys.Merge.names, "defaults: { merge: { %: 1 } }"),
      ("\(MappingKeys.Rejects.owner)", MappingKeys.Rejects.names, "defaults: { rejects: { %: 1 } }"),
      ("\(MappingKeys.Entity.owner)", MappingKeys.Entity.names, "entities: { A: { %: 1 } }"),
      ("\(MappingKeys.Generator.owner)", MappingKeys.Generator.names, "entities: { A: { generate: { b: { %: 1 } } } }"),
      ("\(MappingKeys.Relationship.owner)", MappingKeys.Relationship.names, "relationships: { A.b: { %: 1 } }"),
      ("\(MappingKeys.Share.owner)", MappingKeys.Share.names, "share: { a: { %: 1 } }"),
      ("\(MappingKeys.Bounds.owner)", MappingKeys.Bounds.names, "share: { a: { max: { %: 1 } } }"),
    ]
    #expect(places.map(\.0) == MappingKeys.all.map { $0.owner })
    for (owner, names, text) in places {
      for name in names where name.count > 4 {
        let wrong = String(name.dropLast())
        let error = try #require(throws: DecantError.self) {
          try Mapping(text: text.replacing("%", with: wrong), place: "mapping.yaml")
        }
        #expect("\(error)".contains("“\(wrong)” is not a key of \(owner)"), "\(error)")
        #expect(error.remedy == "did you mean \(name)?", "\(error)")
      }
    }
  }
}
