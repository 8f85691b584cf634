import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Laws of notes: what an app can switch on, what a script sees, and that both mean the same.
@Suite struct NoteTests {
  /// A note of a dry run on real files: by the library, and by the program.
  struct Situation: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let kind: ReportNote.Kind
    let remedies: [DecantError.Remedy]
    let command: [String]
    var prepare: @Sendable (Kitchens) throws -> Void = { _ in }
    let notes: @Sendable (Kitchens) throws -> [ReportNote]
  }

  @Test(arguments: situations)
  func `a note has its kind and its remedies, in a report and in its JSON`(situation: Situation) throws {
    let kitchens = try Kitchens()
    try situation.prepare(kitchens)
    let notes = try situation.notes(kitchens)
    let note = try #require(notes.first { $0.kind == situation.kind }, "\(notes)")
    #expect(note.remedies == situation.remedies)
    #expect(!"\(note)".contains("--"), "an app has no options of a command line: \(note)")
    let run = try Program.run([DecantProgram.path] + situation.command + ["--json"], in: kitchens.folder.url)
    let document = try #require(JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let (kinds, texts) = (document["noteKinds"] as? [String], document["notes"] as? [String])
    #expect(kinds == notes.map(\.kind.rawValue))
    // The program was given names in its folder.
    #expect(texts == notes.commandLine.map { $0.replacing("\(kitchens.folder.url.path)/", with: "") })
    for case .setOption(let option, let value) in note.remedies {
      let written = "--\(option.rawValue)" + (value.map { " \($0.shellWord)" } ?? "")
      #expect(note.commandLine.contains(written))
    }
  }

  @Test(arguments: encodedRemedies.indices)
  func `an encoded note has its kind, its words and its remedies`(_ index: Int) throws {
    let (remedy, json) = Self.encodedRemedies[index]
    let note = ReportNote(.mirrored, "“a” is mirrored", remedy: "wait", remedies: [remedy])
    #expect(note.remedies == [remedy])
    #expect("\(note)" == "“a” is mirrored; wait")
    let expected = #"{"kind":"mirrored","message":"“a” is mirrored","remedies":[\#(json)],"remedy":"wait"}"#
    #expect(try Self.json(note) == expected)
  }

  @Test func `an encoded note without a remedy says so`() throws {
    let note = ReportNote(.noBackup, "nothing to back up")
    #expect(
      try Self.json(note) == #"{"kind":"noBackup","message":"nothing to back up","remedies":[],"remedy":null}"#)
  }

  private static func json(_ note: ReportNote) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(note), as: UTF8.self)
  }

  /// Each remedy, and its JSON with the members in the order of their names.
  static let encodedRemedies: [(DecantError.Remedy, String)] = [
    (.runAgain, #"{"remedy":"runAgain"}"#), (.resume, #"{"remedy":"resume"}"#),
    (.startOver, #"{"remedy":"startOver"}"#),
    (.closeOtherProgram([]), #"{"programs":[],"remedy":"closeOtherProgram"}"#),
    (
      .closeOtherProgram([.init(process: 7, name: "Mail"), .init(process: 8, name: nil)]),
      #"{"programs":[{"name":"Mail","process":7},{"name":null,"process":8}],"remedy":"closeOtherProgram"}"#
    ),
    (.freeSpace(byteCount: 12), #"{"byteCount":12,"remedy":"freeSpace"}"#),
    (.freeSpace(byteCount: nil), #"{"byteCount":null,"remedy":"freeSpace"}"#),
    (.grantAccess, #"{"remedy":"grantAccess"}"#), (.chooseAnotherPlace, #"{"remedy":"chooseAnotherPlace"}"#),
    (.makeFolder("/a"), #"{"place":"/a","remedy":"makeFolder"}"#),
    (.moveAway(nil), #"{"place":null,"remedy":"moveAway"}"#),
    (.restoreBackup("b.sqlite"), #"{"place":"b.sqlite","remedy":"restoreBackup"}"#),
    (.nameModel, #"{"remedy":"nameModel"}"#), (.giveMapping, #"{"remedy":"giveMapping"}"#),
    (.correctName(nearest: "Recipe"), #"{"nearest":"Recipe","remedy":"correctName"}"#),
    (.setOption(.sameLineage, nil), #"{"option":"same-lineage","remedy":"setOption","value":null}"#),
    (.setOption(.merge, "skip"), #"{"option":"merge","remedy":"setOption","value":"skip"}"#),
    (.report, #"{"remedy":"report"}"#),
  ]

  @Test func `no text of the library names an option as the command line writes it`() throws {
    let lines = try Self.lines(#""[^"]*--[a-z]"#)
    // Commands to be run, answers to a question of the command line's, a comment in a file that it reads, colours of a page.
    let permitted: Set = [
      "Advice.swift", "DiffStyle.swift", "LinkSuggestion.swift",
    ]
    #expect(Set(lines.map(\.file)) == permitted, "\(lines)")
  }

  @Test func `no text of the library names a command but as one`() throws {
    let verbs = try Self.verbs().joined(separator: "|")
    let pattern = "run the (same |whole )?command|same command|command again|decant (\(verbs))\\b"
    let command = try Regex(pattern)
    let lines = try Self.lines(pattern).filter { line in
      // Beside each command stands what an app shows in its place, which names none either.
      line.text.replacing(/\\\((command|shell): ".*?", app: "/, with: "").firstMatch(of: command) != nil
    }
    // Commands to be run, the first line of a source text, the last one of a page.
    let permitted: Set = ["Advice.swift", "SwiftTypes.swift", "HTMLWriter.swift"]
    #expect(Set(lines.map(\.file)) == permitted, "\(lines)")
  }

  /// What the program can be told to do.
  private static func verbs() throws -> [String] {
    let folder = Fixtures.projectFolder.appendingPathComponent("Sources/DecantCLI/Commands")
    let suffix = "Command.swift"
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(suffix) }
    return files.map { $0.dropLast(suffix.count).lowercased() } + ["help"]
  }

  @Test func `no note is recognised by its words`() throws {
    let pattern = #"\b\w*[nN]otes?\b.*\.(hasPrefix|hasSuffix|replacing|firstRange|contains)\("#
    // Recipes have notes of their own.
    let asking = try Self.lines(pattern).filter {
      !$0.path.hasPrefix("DecantRecipe") && !$0.path.hasPrefix("DecantPages")
    }
    #expect(asking.map { "\($0.path): \($0.text)" } == [])
  }

  /// The lines of the library in which `grep` finds `pattern`, without comments.
  private static func lines(_ pattern: String) throws -> [(path: String, file: String, text: Substring)] {
    let folder = Fixtures.projectFolder.appendingPathComponent("Sources")
    let run = try Program.run(
      ["grep", "-rE", "--include=*.swift", "--exclude-dir=DecantCLI", "-e", pattern, "."], in: folder)
    #expect(run.status < 2, "\(run.errors)")
    return run.output.split(separator: "\n").compactMap { line in
      let parts = line.split(separator: ":", maxSplits: 1)
      let (path, text) = (parts[0].dropFirst(2), parts[1])
      guard path.hasPrefix("Decant"), text.firstMatch(of: /^ *\/\//) == nil else { return nil }
      return (String(path), String(path.split(separator: "/").last ?? path), text)
    }
  }
}

extension NoteTests {
  /// A copy of one of the folder's files to another that writes nothing.
  private static func copy(
    _ source: String,
    _ destination: String,
    _ configure: @escaping @Sendable (inout CopyOptions) -> Void = { _ in }
  ) -> @Sendable (Kitchens) throws -> [ReportNote] {
    { kitchens in
      try kitchens.copy(kitchens.folder.path(source), to: kitchens.folder.path(destination)) {
        $0.isDryRun = true
        configure(&$0)
      }.notes
    }
  }

  private static let lists = """
    CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
    CREATE TABLE post (id INTEGER PRIMARY KEY, title TEXT UNIQUE, tag_ids TEXT);
    INSERT INTO tag VALUES (1, 'a'), (2, 'b'), (3, 'c');
    INSERT INTO post VALUES (1, 'p', '1,3'), (2, 'q', '|2|3|'), (3, 'r', '[1]')
    """

  static let situations: [Situation] = [
    Situation(
      testDescription: "an identity that was found",
      kind: .identityFound,
      remedies: [.setOption(.identity, "Category: none")],
      command: ["merge", "Guests.sqlite", "Kitchen.sqlite", "--dry-run"],
      notes: copy("Guests.sqlite", "Kitchen.sqlite") {
        $0.appends = true
        $0.merge = MergeRules(.skip)
      }
    ),
    Situation(
      testDescription: "objects without a time",
      kind: .timesMissing,
      remedies: [],
      command: ["merge", "Guests.sqlite", "Kitchen.sqlite", "--merge", "newest", "--dry-run"],
      notes: copy("Guests.sqlite", "Kitchen.sqlite") {
        $0.appends = true
        $0.merge = MergeRules(.newest)
      }
    ),
    Situation(
      testDescription: "sync metadata that stays behind",
      kind: .syncMetadataNotCopied,
      remedies: [.setOption(.keepMetadata, nil)],
      command: ["copy", "SyncMetadata.sqlite", "out.sqlite", "--dry-run"],
      notes: copy("SyncMetadata.sqlite", "out.sqlite")
    ),
    Situation(
      testDescription: "a mirror that needs the history",
      kind: .mirrorAffected,
      remedies: [.setOption(.what, "cloudkit,history")],
      command: ["clean", "SyncMetadata.sqlite", "--what", "history", "--dry-run"],
      notes: { kitchens in
        var clean = Clean(kitchens.syncMetadata, of: ["history"])
        clean.isDryRun = true
        return try clean.run().notes
      }
    ),
    Situation(
      testDescription: "lists of keys",
      kind: .possibleLinks,
      remedies: [.setOption(.noLink, "post.tag_ids")],
      command: ["copy", "a.db", "b.db", "--append", "--dry-run"],
      prepare: { kitchens in
        _ = try Program.sqlite3(kitchens.folder.path("a.db"), lists)
        let schema = lists.components(separatedBy: "INSERT")[0]
        _ = try Program.sqlite3(kitchens.folder.path("b.db"), schema + "INSERT INTO tag VALUES (1, 'z')")
      },
      notes: copy("a.db", "b.db") { $0.appends = true }
    ),
    Situation(
      testDescription: "the leftovers of an interrupted run",
      kind: .interruptedRun,
      remedies: [.resume],
      command: ["inspect", "Kitchen.sqlite"],
      prepare: { kitchens in
        try FileManager.default.createDirectory(
          atPath: kitchens.kitchen + ".decant-work",
          withIntermediateDirectories: false
        )
      },
      notes: { try Inspect($0.kitchen).run().notes }
    ),
  ]
}
