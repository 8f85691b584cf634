import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import DecantCLI

/// What verbs print with `--json`, held against `DocumentSchema`.
@Suite struct DocumentTests {
  private let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    let samples = Fixtures.projectFolder.appendingPathComponent("samples")
    for name in ["SyncMetadata.sqlite", "Soup.melarecipe"] {
      try FileManager.default.copyItem(
        at: samples.appendingPathComponent(name),
        to: folder.url.appendingPathComponent(name)
      )
    }
  }

  /// Commands that leave nothing to say, and commands that leave much; `decant` alone stands for the program.
  private static let scenes: [(verb: String, setUp: String, run: String)] = [
    ("inspect", "", "inspect Kitchen.sqlite"), ("inspect", "", "inspect SyncMetadata.sqlite"),
    ("inspect", "", "inspect Kitchen.sqlite --fast"),
    ("inspect", "sqlite3 empty.db VACUUM", "inspect empty.db"),
    ("inspect", plain, "inspect plain.db"), ("inspect", "", "inspect Soup.melarecipe"),
    ("inspect", "decant export Kitchen.sqlite k.decant", "inspect k.decant"),
    ("inspect", "sqlite3 Kitchen.sqlite 'UPDATE ZRECIPE SET ZCATEGORY = 99'", "inspect Kitchen.sqlite"),
    ("doctor", "", "doctor Kitchen.sqlite"), ("doctor", "", "doctor SyncMetadata.sqlite"),
    ("doctor", plain, "doctor plain.db"), ("doctor", "", "doctor Soup.melarecipe"),
    ("doctor", "sqlite3 Kitchen.sqlite 'UPDATE ZRECIPE SET ZCATEGORY = 99'", "doctor Kitchen.sqlite"),
    ("copy", "", "copy Kitchen.sqlite out.sqlite"),
    ("copy", "", "copy Guests.sqlite Kitchen.sqlite --append --keep-ids ids.sqlite --backup"),
    ("copy", "", "copy Kitchen.sqlite out.sqlite --dry-run --root 'Recipe: rating > 4'"),
    ("copy", plain, "copy plain.db out.db --where 'a: id = 1' --no-verify"),
    ("copy", refusing, "copy plain.db strict.db --append --on-error reject --rejects r.decant"),
    ("merge", "", "merge Guests.sqlite Kitchen.sqlite"),
    ("merge", changed, "merge Theirs.sqlite Kitchen.sqlite --merge three-way --base Base.sqlite"),
    ("merge", "", "merge Guests.sqlite Kitchen.sqlite --dry-run --why 'Recipe 1'"),
    ("merge", changed, "merge Theirs.sqlite Kitchen.sqlite --conflicts k.jsonl"),
    ("merge", twoKeys, "merge theirs.db own.db --merge three-way --base base.db --dry-run --list"),
    ("merge", "cp Guests.sqlite Other.sqlite", "merge Guests.sqlite Other.sqlite Kitchen.sqlite"),
    ("export", "", "export Kitchen.sqlite k.decant"),
    ("export", "", "export Kitchen.sqlite k.decant --dry-run"),
    ("export", "", "export Kitchen.sqlite out --each Recipe"),
    ("export", "decant import Soup.melarecipe r.sqlite", "export r.sqlite cooklang:out"),
    ("import", "decant export Kitchen.sqlite k.decant", "import k.decant new.sqlite"),
    (
      "import", "decant export Kitchen.sqlite k.decant; decant export Guests.sqlite g.decant",
      "import k.decant g.decant new.sqlite"
    ),
    ("import", "", "import Soup.melarecipe new.sqlite"),
    ("import", damaged, "import files new.sqlite"),
    ("import", "decant import Soup.melarecipe r.sqlite", "import Soup.melarecipe r.sqlite --dry-run"),
    ("verify", "cp Kitchen.sqlite out.sqlite", "verify Kitchen.sqlite out.sqlite"),
    ("verify", changed, "verify Base.sqlite Theirs.sqlite"),
    ("diff", "cp Kitchen.sqlite out.sqlite", "diff Kitchen.sqlite out.sqlite"),
    ("diff", changed, "diff Base.sqlite Theirs.sqlite"),
    ("diff", changed, "diff Base.sqlite Theirs.sqlite --verbose"),
    ("diff", changed, "diff Theirs.sqlite Kitchen.sqlite --base Base.sqlite"),
    ("diff", plain + "; cp plain.db other.db; sqlite3 other.db 'DELETE FROM k'", "diff plain.db other.db"),
    ("check", "", "check Kitchen.sqlite --against Guests.sqlite"),
    ("check", tags, "check Tags.sqlite --against 'Tags.xcdatamodeld#Tags 2'"),
    ("check", tags, "check Tags.sqlite --against Kitchen.sqlite"),
    ("migrate", "", "migrate Kitchen.sqlite --to Guests.sqlite"),
    ("migrate", tags, "migrate Tags.sqlite --to 'Tags.xcdatamodeld#Tags 2' --unversioned"),
    ("migrate", tags, "migrate Tags.sqlite --to 'Tags.xcdatamodeld#Tags 2' --unversioned --dry-run"),
    ("query", "", "query Kitchen.sqlite 'SELECT * FROM Recipe, Image'"),
    ("query", "", "query Kitchen.sqlite 'SELECT * FROM Image' --blob-dir out"),
    ("query", "", "query Kitchen.sqlite 'SELECT 1 WHERE 0'"),
    ("recipes", soup, "recipes r.db"), ("recipes", soup, "recipes r.db search nosuch"),
    ("recipes", soup, "recipes r.db show 1"), ("recipes", soup, "recipes r.db open 1 --no-browser"),
    ("recipes", soup, "recipes r.db edit 1 rating 4.5"), ("recipes", soup, "recipes r.db delete 1 --dry-run"),
    ("repoint", notes, "repoint notes.db --at note.recipe --ids ids.sqlite --store Kitchen.sqlite"),
    ("repoint", notes, "repoint notes.db --at note.recipe --ids ids.sqlite --dry-run --verbose"),
    ("clean", "", "clean SyncMetadata.sqlite --what icloud,cloudkit,history"),
    ("clean", "", "clean Kitchen.sqlite --what history"),
    ("clean", "", "clean SyncMetadata.sqlite --what history --dry-run"),
    ("rollback", "decant clean SyncMetadata.sqlite --what history", "rollback SyncMetadata.sqlite"),
    (
      "rollback", "decant clean SyncMetadata.sqlite --what history; rm SyncMetadata.sqlite",
      "rollback SyncMetadata.sqlite"
    ),
  ]

  private static let plain = """
    sqlite3 plain.db 'CREATE TABLE a (id INTEGER PRIMARY KEY, x, y BLOB); CREATE TABLE k (t TEXT PRIMARY KEY)
      WITHOUT ROWID; INSERT INTO a VALUES (1, NULL, x'"'00'"'), (2, 1.5, NULL); INSERT INTO k VALUES (7)'
    """
  private static let soup = "decant import Soup.melarecipe r.db"
  private static let twoKeys = """
    sqlite3 base.db "CREATE TABLE k (t, u, v, PRIMARY KEY (t, u)) WITHOUT ROWID; INSERT INTO k VALUES ('a', 1.5, 0), ('b', 1, 0)"
    cp base.db own.db; cp base.db theirs.db; sqlite3 own.db 'UPDATE k SET v = 1'; sqlite3 theirs.db 'UPDATE k SET v = 2'
    """
  private static let refusing =
    plain + "; sqlite3 strict.db 'CREATE TABLE a (id INTEGER PRIMARY KEY, x NOT NULL, y BLOB); "
    + "CREATE TABLE k (t TEXT PRIMARY KEY) WITHOUT ROWID'"
  private static let changed = """
    cp Kitchen.sqlite Base.sqlite; cp Kitchen.sqlite Theirs.sqlite
    sqlite3 Theirs.sqlite "UPDATE ZTAG SET ZCOLOR = 'theirs'; DELETE FROM ZSTEP WHERE Z_PK = 1"
    sqlite3 Kitchen.sqlite "UPDATE ZTAG SET ZCOLOR = 'ours'"
    """
  private static let damaged = """
    mkdir files; cp Soup.melarecipe files; echo '{"title":' > files/cut.melarecipe; echo x > files/x.jpg
    """
  private static let tags = """
    for n in 'Tags' 'Tags 2'; do mkdir -p "Tags.xcdatamodeld/$n.xcdatamodel"
    echo '<model><entity name="Tag"><attribute name="name" optional="YES" attributeType="String"/></entity></model>' \
    > "Tags.xcdatamodeld/$n.xcdatamodel/contents"; done
    sed -i 's/"name"/"label"/2' 'Tags.xcdatamodeld/Tags 2.xcdatamodel/contents'
    sqlite3 Tags.sqlite "
    CREATE TABLE ZTAG ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR );
    CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
    CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
    INSERT INTO Z_PRIMARYKEY VALUES (1, 'Tag', 0, 9);
    INSERT INTO Z_METADATA VALUES (1, 'C0C0A000-0000-4000-8000-000000000005', NULL);
    INSERT INTO ZTAG VALUES (1, 1, 1, 'warm soup'), (4, 1, 1, 'cold soup')"
    """
  private static let notes = """
    decant copy Guests.sqlite Kitchen.sqlite --append --keep-ids ids.sqlite -q
    sqlite3 notes.db "CREATE TABLE note (id INTEGER PRIMARY KEY, recipe TEXT); INSERT INTO note (recipe) VALUES
      ('x-coredata://778381CD-532B-812B-8CCD-A0DEBBEEE974/Recipe/p1'), ('soup'),
      ('x-coredata://778381CD-532B-812B-8CCD-A0DEBBEEE974/Recipe/p99')"
    """

  @Test(arguments: scenes.map { [$0.verb, $0.setUp, $0.run] })
  func `a document has every member of its verb, and no other`(_ scene: [String]) throws {
    let shape = try #require(DocumentSchema.verbs[scene[0]])
    let run = try Program.run(
      [
        "bash", "-c",
        "set -e; decant() { \"$0\" \"$@\"; }\n{ :\n\(scene[1])\n} >&2\ndecant \(scene[2]) --json",
      ]
        + [DecantProgram.path],
      in: folder.url
    )
    #expect([0, 3, 4].contains(run.status), "\(run.errors)")
    let document = try #require(
      try? JSONDecoder().decode(JSONDocument.self, from: Data(run.output.utf8)),
      "\(run.output)\(run.errors)"
    )
    #expect(shape.faults(in: document) == [])
  }

  @Test func `every verb that prints a document has its schema, and is run`() {
    for command in DecantCommand.configuration.subcommands {
      let verb = command.configuration.commandName ?? ""
      let help = DecantCommand.helpMessage(for: command, columns: 1_000)
      let printsDocument = help.contains("\n  --json ")
      #expect((DocumentSchema.verbs[verb] != nil) == printsDocument, "DocumentSchema.verbs: \(verb)")
      #expect(Self.scenes.contains { $0.verb == verb } == printsDocument, "DocumentTests.scenes: \(verb)")
    }
  }

  @Test func `the schema is strict`() throws {
    func faults(_ text: String) throws -> [String] {
      let document = try JSONDecoder().decode(JSONDocument.self, from: Data(text.utf8))
      let shape = DocumentShape.object(["a": .list(.integer), "b": .optional(.text), "c": .bool])
      return shape.faults(in: document)
    }
    #expect(try faults(#"{"a": [], "b": null, "c": true}"#) == [])
    #expect(try faults(#"{"a": [1, 2], "b": "x", "c": false}"#) == [])
    #expect(try faults(#"{"a": [], "b": null}"#) == ["$.c is missing"])
    #expect(try faults(#"{"b": null, "c": true}"#) == ["$.a is missing"])
    #expect(try faults(#"{"a": [], "b": null, "c": true, "d": 1}"#) == ["$.d is not known"])
    #expect(try faults(#"{"a": [1.5], "b": null, "c": true}"#).count == 1)
    #expect(try faults(#"{"a": [true], "b": null, "c": 1}"#).count == 2)
    #expect(try faults(#"{"a": null, "b": 1, "c": true}"#).count == 2)
    #expect(try faults("[]").count == 1)
  }
}
