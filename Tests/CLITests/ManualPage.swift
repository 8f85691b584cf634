import Foundation
import TestSupport
import Testing

/// A page of the manual, or the README.
struct ManualPage: CustomTestStringConvertible, Sendable {
  static let folder = "Sources/Decant/Decant.docc"

  /// The pages that users read, by their paths in the project: all but the changelog, which describes earlier versions too.
  static let all: [ManualPage] = {
    let place = Fixtures.projectFolder.appendingPathComponent(folder).path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
    let pages = names.filter { $0.hasSuffix(".md") && $0 != "Changelog.md" }.sorted()
    return (["README.md"] + pages.map { "\(folder)/\($0)" }).map(ManualPage.init)
  }()

  let path: String
  var file: URL { Fixtures.projectFolder.appendingPathComponent(path) }
  /// The name by which other pages link to this one.
  var name: String { file.deletingPathExtension().lastPathComponent }
  var testDescription: String { path }

  func text() throws -> String { try String(contentsOf: file, encoding: .utf8) }

  /// The blocks of code: the language behind the opening fence, and the lines.
  func blocks() throws -> [(language: String, lines: [String])] {
    var found: [(String, [String])] = []
    var isOpen = false
    for line in try text().components(separatedBy: "\n") {
      if line.hasPrefix("```") {
        if !isOpen { found.append((String(line.dropFirst(3)), [])) }
        isOpen.toggle()
      } else if isOpen {
        found[found.count - 1].1.append(line)
      }
    }
    return found
  }

  /// The text between the blocks of code.
  func prose() throws -> String {
    try text().replacing(/(?s)```.*?\n```/, with: "")
  }

  /// The sections that begin with a heading `decant VERB`, by the verb; one page may describe several.
  static func verbs() throws -> [String: String] {
    var found: [String: String] = [:]
    for page in all {
      let parts = try page.text().split(
        separator: #/(?m)^#{1,3} decant /#,
        omittingEmptySubsequences: false
      )
      for part in parts.dropFirst() {
        for verb in part.prefix(while: { $0 != "\n" }).split(separator: ", decant ") {
          found[String(verb)] = found[String(verb), default: ""] + part
        }
      }
    }
    return found
  }
}
