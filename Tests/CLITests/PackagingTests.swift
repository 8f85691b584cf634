import Foundation
import TestSupport
import Testing

/// What is made of the program to be installed: manual pages, and the files below a prefix.
@Suite struct PackagingTests {
  private static func script(_ name: String) -> String {
    Fixtures.projectFolder.appendingPathComponent("Packaging/\(name)").path
  }

  private static let hasGroff = (try? Program.run(["groff", "--version"]))?.status == 0

  @Test func `the version has the commit and SQLite's version`() throws {
    let line = try Program.run([DecantProgram.path, "--version"]).output
    let sqlite = try Program.run(["sqlite3", "--version"]).output.split(separator: " ")[0]
    #expect(line.wholeMatch(of: /decant \d+\.\d+\.\d+ \([^ ,]+, SQLite [\d.]+\)\n/) != nil, "\(line)")
    #expect(line.contains("SQLite \(sqlite))"))
  }

  /// As on a machine without libpq: the loader takes what it finds first, and this is no library.
  @Test(.disabled(if: Sanitizer.isActive, "a sanitizer is a library that is loaded in the same way"))
  func `only a server's location needs libpq, and says so`() throws {
    let folder = try TemporaryFolder()
    try "no library".write(toFile: folder.path("libpq.so.5"), atomically: true, encoding: .utf8)
    func run(_ arguments: String...) throws -> Program {
      try Program.run(
        [DecantProgram.path] + arguments, in: folder.url, environment: ["LD_LIBRARY_PATH": folder.url.path])
    }
    let kitchen = Fixtures.projectFolder.appendingPathComponent("samples/Kitchen.sqlite").path
    #expect(try run("copy", kitchen, "copy.sqlite").status == 0)
    let server = try run("inspect", "postgres:dbname=kitchen")
    #expect(server.status == 1, "\(server.errors)")
    #expect(server.errors.contains("libpq, cannot be loaded") && server.errors.contains("apt install libpq5"))
  }

  @Test func `every verb has a manual page with all its options`() throws {
    let folder = try TemporaryFolder()
    let made = try Program.run(["python3", Self.script("manual.py"), DecantProgram.path, "2026-01-31", folder.url.path])
    #expect(made.status == 0, "\(made.errors)")
    let help = try Program.run([DecantProgram.path, "--help"]).output
    let verbs =
      help.components(separatedBy: "SUBCOMMANDS:\n").last?
      .matches(of: #/(?m)^  ([a-z]+) /#).map { String($0.1) } ?? []
    #expect(verbs.count >= 14)
    for verb in verbs {
      let path = folder.path("decant-\(verb).1")
      let text = try String(contentsOfFile: path, encoding: .ascii).replacing("\\-", with: "-")
      let long = try Program.run([DecantProgram.path, verb, "--help-hidden"]).output
      for option in long.matches(of: /\n  (?:-[a-z], )?(--[a-z-]+)/).map({ String($0.1) }) {
        #expect(text.contains("\\fB\(option)\\fR"), "\(verb) \(option)")
      }
    }
    guard Self.hasGroff else { return }
    let pages = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(pages.count == verbs.count + 1)
    for page in pages {
      let run = try Program.run([
        "groff", "-man", "-Tutf8", "-ww", "-P", "-cbou", folder.path(page),
      ])
      #expect(run.status == 0 && run.errors.isEmpty, "\(page): \(run.errors)")
      #expect(run.output.contains("SEE ALSO"), "\(page)")
    }
  }

  @Test func `what is installed is removed again, and nothing else`() throws {
    let folder = try TemporaryFolder()
    let prefix = folder.path("usr")
    _ = try Program.run(
      [
        "sh", "-c",
        "mkdir -p usr/bin usr/share/man/man1; touch usr/bin/other usr/share/man/man1/decant-other.1",
      ],
      in: folder.url
    )
    let installed = try Program.run([Self.script("install.sh"), DecantProgram.path, prefix])
    #expect(installed.status == 0, "\(installed.errors)")
    for file in [
      "bin/decant", "share/man/man1/decant.1", "share/man/man1/decant-merge.1",
      "share/doc/decant/LICENSE",
      "share/bash-completion/completions/decant", "share/zsh/site-functions/_decant",
      "share/fish/vendor_completions.d/decant.fish",
    ] {
      #expect(FileManager.default.fileExists(atPath: "\(prefix)/\(file)"), "\(file)")
    }
    #expect(try Program.run(["\(prefix)/bin/decant", "--version"]).status == 0)
    #expect(try Program.run([Self.script("install.sh"), "--remove", prefix]).status == 0)
    let left = try Program.run(["find", prefix, "-type", "f"]).output.split(separator: "\n")
      .sorted()
    #expect(left == ["\(prefix)/bin/other", "\(prefix)/share/man/man1/decant-other.1"])
    let again = try Program.run([Self.script("install.sh"), "--remove", prefix])
    #expect(again.status == 1 && again.output.contains("nothing"))
  }
}
