import ArgumentParser
import Decant
import Foundation
import TestSupport
import Testing

@testable import DecantCLI
@testable import Examples

/// The README, and the tables of codes in the manual, agree with the program.
@Suite struct DocumentationTests {
  private static func text(_ path: String) throws -> String {
    try String(contentsOf: Fixtures.projectFolder.appendingPathComponent(path), encoding: .utf8)
  }

  /// Returns the blocks of code in `text` that are marked as `language`.
  private static func blocks(of language: String, in text: String) -> [String] {
    text.components(separatedBy: "```\(language)\n").dropFirst().compactMap { block in
      block.components(separatedBy: "\n```").first
    }
  }

  @Test func `the first commands of the README are the demonstration and the tests`() throws {
    let commands = try Self.blocks(of: "sh", in: Self.text("README.md")).joined(separator: "\n")
      .split(separator: "\n").map { $0.prefix { $0 != "#" }.trimmingCharacters(in: .whitespaces) }
    #expect(commands.prefix(2) == ["make demo", "make test"])
    let makefile = try Self.text("Makefile")
    for case let command in commands where command.hasPrefix("make ") {
      let target = command.split(separator: " ")[1]
      #expect(makefile.contains("\n\(target):"), "\(target)")
    }
  }

  @Test func `the example that adds a store runs`() async throws {
    let folder = try TemporaryFolder()
    let kitchen = folder.path("Kitchen.sqlite")
    let samples = Fixtures.projectFolder.appendingPathComponent("samples")
    try FileManager.default.copyItem(atPath: samples.path + "/Kitchen.sqlite", toPath: kitchen)
    let report = try await add(samples.path + "/Guests.sqlite", to: kitchen)
    #expect(report?.copiedCount == 61 && report?.isVerified == true)
  }

  @Test func `every exit code is in the README and on the page`() throws {
    let numbers =
      [0] + DecantError.Family.allCases.map { ExitCode($0).rawValue } + [
        ExitCode.rejects.rawValue, ExitCode.differ.rawValue,
      ]
    let page = try Self.text("Sources/Decant/Decant.docc/CLI.md")
    let readme = try Self.text("README.md")
    for number in numbers {
      #expect(page.contains("| \(number) |"), "\(number)")
      #expect(readme.contains("\(number) "), "\(number)")
    }
  }

  @Test func `every kind of note is on the page`() throws {
    let page = try Self.text("Sources/Decant/Decant.docc/Reports.md")
    for kind in ReportNote.Kind.allCases { #expect(page.contains("| `\(kind.rawValue)` |"), "\(kind)") }
  }

  @Test func `every code of an error is on the page, with the exit code of its family`() throws {
    let page = try Self.text("Sources/Decant/Decant.docc/CLI.md")
    let listed = page.matches(of: /\| (\d+) \| `(\w+)` \|/).map { "\($0.output.2) \($0.output.1)" }
    let expected = DecantError.Code.allCases.map { "\($0.rawValue) \(ExitCode($0.family).rawValue)" }
    #expect(listed.sorted() == expected.sorted())
  }

  @Test func `the README has the length of a page, and every link in it leads somewhere`() throws {
    let readme = try Self.text("README.md")
    #expect((100...150).contains(readme.count { $0 == "\n" }))
    for link in readme.matches(of: /\]\(([^)#:]+)\)/).map({ String($0.output.1) }) {
      let place = Fixtures.projectFolder.appendingPathComponent(link).path
      #expect(FileManager.default.fileExists(atPath: place), "\(link)")
    }
  }
}
