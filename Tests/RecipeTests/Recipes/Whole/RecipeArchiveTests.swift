import Decant
import Foundation
import TestSupport
import Testing

/// A folder of recipes is the same in whatever it is packed, and whatever that is called.
@Suite struct RecipeArchiveTests {
  private let shelf: RecipeShelf

  init() throws { shelf = try RecipeShelf() }

  /// How the folder `in` is packed into `$packed`.
  private static let packers: [(name: String, command: String)] = [
    ("tar", "bsdtar -cf $packed --format ustar in"),
    ("tar of Python", "python3 -m tarfile -c $packed in"),
    ("tar.gz", "bsdtar -czf $packed in"),
    ("tar.bz2", "bsdtar -cjf $packed in"),
    ("tar.xz", "bsdtar -cJf $packed in"),
    ("tar.zst", "bsdtar -cf - in | zstd -qc > $packed"),
    ("tar.lz4", "bsdtar -cf - in | lz4 -qc > $packed"),
    ("zip", "zip -qr x.zip in && mv x.zip $packed"),
    ("zip by bsdtar", "bsdtar -cf $packed --format zip in"),
    ("cpio", "bsdtar -cf $packed --format newc in"),
    ("old cpio", "bsdtar -cf $packed --format cpio in"),
    ("7z", "bsdtar -cf $packed --format 7zip in"),
    ("tar in a zip", "bsdtar -cf x.tar in && zip -q x.zip x.tar && mv x.zip $packed"),
    ("7z in a tar.gz", "bsdtar -cf x --format 7zip in && bsdtar -czf $packed x"),
    ("zip in a tar", "zip -qr x.zip in && bsdtar -cf $packed x.zip"),
  ]

  private func pack(_ command: String, _ name: String) throws {
    let script = "cd \"$1\"; packed=$2\n" + command
    let run = try Program.run(["sh", "-ec", script, "sh", shelf.path("."), shelf.path(name)])
    guard run.status == 0 else { throw Program.Failure(program: command, errors: run.errors) }
  }

  /// Recipes of four formats in two folders, one with a picture beside it, and a file that is none.
  private func makeFolder() throws {
    try shelf.make("in/B.paprikarecipe", "paprika(recipe('B'))", inFolder: true)
    try shelf.make(
      "in/Désserts/library.melarecipes",
      """
      mela = lambda n: json.dumps({"id": n, "title": n, "ingredients": "x", "instructions": "y"})
      library([(n, mela(n)) for n in "CD"])
      """,
      inFolder: true
    )
    try shelf.make(
      "in/E/recipe.json",
      """
      json.dump({"@context": "https://schema.org", "@type": "Recipe", "name": "E", "image": "full.jpg",
          "recipeIngredient": ["1 egg"], "recipeInstructions": ["Boil."]}, open(place, "w"))
      """,
      inFolder: true
    )
    try shelf.make("in/E/full.jpg", "open(place, 'wb').write(png)", inFolder: true)
    try shelf.write("Mix @flour{1%cup} and @eggs{2}.\n", "in/Pancakes.cook")
    try shelf.write("nothing of the kind", "in/notes.xyz")
  }

  @Test(arguments: packers.map(\.name), ["recipes.packed", "photo.jpg"])
  func `it is the same as the folder`(_ name: String, _ file: String) throws {
    let packer = try #require(Self.packers.first { $0.name == name })
    try makeFolder()
    try shelf.import("in", into: "folder.sqlite")
    let folder = try shelf.content("folder.sqlite")
    #expect(Set(folder.titles) == ["B", "C", "D", "E", "Pancakes"])
    #expect(folder.pictures.count == 1)
    try pack(packer.command, file)
    let report = try shelf.import(file)
    #expect(report.unread == [])
    let content = try shelf.content()
    #expect(content.faults == [])
    #expect(content.differences(from: folder, isOrdered: false).isEmpty)
  }

  @Test func `links out of a tar are passed over, and names climb nowhere`() throws {
    try shelf.make(
      "a.tar",
      """
      import io, tarfile
      with tarfile.open(place, "w") as t:
        def add(name, data=b"", kind=tarfile.REGTYPE, link=""):
          info = tarfile.TarInfo(name)
          info.size, info.type, info.linkname = len(data), kind, link
          t.addfile(info, io.BytesIO(data))
        add("../../A.paprikarecipe", packed(recipe("A")))
        add("/etc/B.paprikarecipe", packed(recipe("B")))
        add("passwd.json", kind=tarfile.SYMTYPE, link="/etc/passwd")
        add("C.paprikarecipe", kind=tarfile.LNKTYPE, link="../../A.paprikarecipe")
        add("pipe", kind=tarfile.FIFOTYPE)
      """
    )
    let report = try shelf.import("a.tar")
    #expect(Set(try shelf.content().titles) == ["A", "B"])
    #expect(report.unread == [])
    #expect(report.passedOver.map(\.reason) == ["it is a link", "it is a link", "it is not a file"])
    let names = try FileManager.default.contentsOfDirectory(atPath: shelf.folder.url.path)
    #expect(Set(names) == ["a.tar", "kitchen.sqlite"])
  }

  @Test(arguments: [
    "bsdtar -cf whole --format 7zip in", "bsdtar -cf whole in", "bsdtar -czf whole in",
  ])
  func `one that is cut off loses nothing in silence`(_ command: String) throws {
    try makeFolder()
    // Of a tar that is this short more than half is filled up with zeros.
    try pack("\(command); head -c $(($(stat -c %s whole) * 3 / 10)) whole > $packed", "cut")
    do {
      #expect(try !shelf.import("cut").unread.isEmpty)
    } catch let error as DecantError {
      #expect(error.family == .corruptStore && error.message.contains("data ends at byte"), "\(error)")
    }
  }

  /// All real recipe files in one archive of each kind.
  @Test(.enabled(if: Fixtures.areAvailable), arguments: ["tar", "tar.zst", "7z", "zip", "cpio"])
  func `real files are the same packed`(_ name: String) throws {
    let packer = try #require(Self.packers.first { $0.name == name })
    let fixtures = try RecipeShelf.fixture("")
    let formats = "mela paprika crouton cooklang mealie"
    // Of two versions the later file counts: no two files have one time, which a zip tells in steps of two seconds.
    let touch = "n=$((n + 2)); touch -d \"@$((1700000000 + n))\" \"$f\""
    let times = "n=0; find in -type f | sort | while read -r f; do \(touch); done"
    try pack("mkdir in; for x in \(formats); do cp -r \"\(fixtures)/$x\" in; done; \(times)", "")
    try shelf.import("in", into: "folder.sqlite")
    let folder = try shelf.content("folder.sqlite")
    try pack(packer.command, "library")
    try shelf.import("library")
    #expect(folder.recipes.count > 100)
    #expect(try shelf.content().differences(from: folder, isOrdered: false).isEmpty)
  }
}
