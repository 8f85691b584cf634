import Foundation
import TestSupport
import Testing

/// A backup of an older model version is merged in one step: the result is that of migrating it and merging that by hand.
///
/// Both ways end in two stores, which the `sqlite3` program compares statement by statement.
@Suite(.enabled(if: Fixtures.areAvailable)) struct OlderVersionTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("tmp"), withIntermediateDirectories: true)
  }

  struct Chain: Sendable, CustomTestStringConvertible {
    var old: String
    var new: String
    /// The bundle with the versions between; `nil` where the stores have to tell.
    var model: String?
    /// Words of the note.
    var told: String

    var testDescription: String { "\(old) → \(new)\(model == nil ? ", no model" : "")" }
  }

  private static let moody = "moody/Moody.xcdatamodeld"
  private static let ddg = "ddg/BookmarksModel.xcdatamodeld"
  private static let wire = "wire/zmessaging.xcdatamodeld"

  static let chains = [
    Chain(old: "moody-1", new: "moody-2", model: moody, told: "of version “Moody”"),
    Chain(old: "moody-1", new: "moody-4", model: moody, told: "Moody 2-Moody 3.xcmappingmodel"),
    Chain(old: "moody-2", new: "moody-5", model: moody, told: "Continent of the source is discarded"),
    Chain(old: "moody-1", new: "moody-2", told: "to use intermediate versions, pass --model"),
    Chain(
      old: "wibosco-1",
      new: "wibosco-2",
      model: "wibosco/CoreDataMigration_Example.xcdatamodeld",
      told: "a copy was migrated"
    ),
    Chain(old: "wibosco-1", new: "wibosco-2", told: "a copy was migrated"),
    Chain(
      old: "ddg-bookmarks-v1",
      new: "ddg-bookmarks-v4",
      model: ddg,
      told: "not migrated: BookmarkEntity.isFavorite: removed: the values of 10 objects"
    ),
    Chain(old: "wire-1-28", new: "wire-2-3", model: wire, told: "of version “zmessaging1.28”"),
    Chain(old: "wire-2-3", new: "wire-2-101-0", model: wire, told: "→ “zmessaging2.90.0” →"),
  ]

  /// A copy of a real store, in a folder of its own.
  private func store(_ name: String, in place: String) throws -> String {
    try FileManager.default.createDirectory(atPath: folder.path(place), withIntermediateDirectories: true)
    return try Fixtures.copyStore(try GroundTruth(of: name).file, into: folder.url.appendingPathComponent(place)).path
  }

  private func model(_ name: String) throws -> String {
    try #require(Fixtures.stores).path + "/models/" + name
  }

  private func decant(_ arguments: [String]) throws -> Program {
    try Program.run([DecantProgram.path] + arguments, in: folder.url, environment: ["TMPDIR": folder.path("tmp")])
  }

  /// All that a store holds, as statements; the moments in its history are those of the run.
  private func dump(_ store: String) throws -> [String] {
    try Program.sqlite3(store, ".dump").split(separator: "\n").map(String.init)
      .filter { !$0.hasPrefix("INSERT INTO ATRANSACTION ") }.sorted()
  }

  /// The file and its log; an empty one, which SQLite may leave, is as good as none.
  private func bytes(_ store: String) -> [Data] {
    [store, store + "-wal"].map { FileManager.default.contents(atPath: $0) ?? Data() }
  }

  private func leftBehind() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path("tmp"))
  }

  @Test(arguments: chains) func `in one step as by hand`(chain: Chain) throws {
    let old = try store(chain.old, in: "old")
    let (one, two) = (try store(chain.new, in: "one"), try store(chain.new, in: "two"))
    let before = bytes(old)
    let model = try chain.model.map { try self.model($0) }
    let rehearsed = try decant(["merge", old, one, "--dry-run"] + (model.map { ["--model", $0] } ?? []))
    #expect(rehearsed.status == 0, "\(rehearsed.errors)")
    #expect(bytes(old) == before)
    let run = try decant(["merge", old, one] + (model.map { ["--model", $0] } ?? []))
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains(chain.told), "\(run.output)")
    #expect(bytes(old) == before, "the source is not changed")
    let made = folder.path("made.sqlite")
    let migrated = try decant(["migrate", old, "--to", two, "--out", made] + (model.map { ["--through", $0] } ?? []))
    #expect(migrated.status == 0, "\(migrated.errors)")
    let merged = try decant(["merge", made, two])
    #expect(merged.status == 0, "\(merged.errors)")
    #expect(try dump(one) == dump(two))
    #expect(try leftBehind() == [])
    // The same merge again does nothing.
    let after = try dump(one)
    #expect(try decant(["merge", old, one] + (model.map { ["--model", $0] } ?? [])).status == 0)
    #expect(try dump(one) == after)
  }

  @Test func `a base of an older version is migrated as well`() throws {
    let base = try store("moody-1", in: "base")
    let (source, one) = (try store("moody-1", in: "source"), try store("moody-2", in: "one"))
    _ = try Program.sqlite3(source, "UPDATE ZMOOD SET ZCOLORS = x'010203' WHERE Z_PK = 1")
    let run = try decant([
      "merge", source, one, "--merge", "three-way", "--base", base, "--model",
      try model(Self.moody),
    ])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("a copy was migrated"))
    #expect(try leftBehind() == [])
  }

  @Test func `what would be lost is not, as nobody knows which store is the older`() throws {
    let (old, new) = (try store("ddg-bookmarks-v1", in: "old"), try store("ddg-bookmarks-v4", in: "new"))
    let before = bytes(new)
    let run = try decant(["merge", old, new])
    #expect(run.status == 12 && run.output.isEmpty)
    for words in [
      "it is not known which is the older one", "BookmarkEntity.isFavorite",
      "--model App.xcdatamodeld",
      "decant migrate \(old) --to \(new) --out \(old.dropLast(7))-migrated.sqlite",
      "--suggest-mapping > mapping.yaml", "--mapping mapping.yaml",
    ] {
      #expect(run.errors.contains(words), "\(run.errors)")
    }
    #expect(bytes(new) == before)
    #expect(try leftBehind() == [])
    // The command that the message names.
    let pasted = try #require(run.errors.firstMatch(of: /decant migrate (\S+) --to (\S+) --out (\S+),/))
    let arguments = [pasted.1, pasted.2, pasted.3].map(String.init)
    let migrated = try decant([
      "migrate", arguments[0], "--to", arguments[1], "--out", arguments[2],
    ])
    #expect(migrated.status == 0, "\(migrated.errors)")
    #expect(try decant(["merge", arguments[2], new]).status == 0)
  }

  @Test func `a source of a later version is told, and how to bring the store there`() throws {
    let (late, early) = (try store("moody-4", in: "late"), try store("moody-1", in: "early"))
    let model = try model(Self.moody)
    let run = try decant(["merge", late, early, "--model", model])
    #expect(run.status == 12 && run.output.isEmpty)
    #expect(run.errors.contains("later model version"), "\(run.errors)")
    #expect(run.errors.contains("decant migrate \(early) --to '\(late)' --through \(model)"))
    #expect(try decant(["migrate", early, "--to", late, "--through", model]).status == 0)
    #expect(try decant(["merge", late, early]).status == 0)
  }

  @Test func `where only the app can migrate, the folder is removed and the way is named`() throws {
    let (old, new) = (try store("cyface-v10", in: "old"), try store("cyface-v11", in: "new"))
    let before = bytes(new)
    let run = try decant([
      "merge", old, new, "--model", try model("cyface/CyfaceModel.xcdatamodeld"),
    ])
    #expect(run.status == 12)
    #expect(run.errors.contains("V10toV11.xcmappingmodel"), "\(run.errors)")
    #expect(run.errors.contains("decant migrate \(old)") && run.errors.contains("--mapping"))
    #expect(bytes(new) == before)
    #expect(try leftBehind() == [])
  }
}
