import Foundation
import TestSupport
import Testing

/// What a shell offers behind decant: asked in the shells themselves, as far as they are installed.
@Suite struct CompletionTests {
  private static let shells = ["bash", "zsh", "fish"].filter {
    (try? Program.run([$0, "--version"]))?.status == 0
  }

  /// A line up to the tab, and what must be shown for it: what is filled in, or each of a list.
  private static let lines: [(line: String, expected: [String])] = [
    ("decant mer", ["ge"]),
    ("decant copy --ident", ["ity"]),
    ("decant inspect Kit", ["chen.sqlite"]),
    ("decant copy Kitchen.sqlite n.sqlite --on-error ", ["stop", "reject"]),
    ("decant inspect Kitchen.sqlite --entity St", ["Step", "StepImage"]),
    ("decant copy Kitchen.sqlite n.sqlite --where 'Rec", ["Recipe:", "RecipeImage:"]),
    ("decant copy Kitchen.sqlite n.sqlite --where 'Recipe: ra", ["ting"]),
    ("decant merge Guests.sqlite Kitchen.sqlite --merge 'Tag: ne", ["west"]),
    ("decant repoint Guests.sqlite --at Recipe.lastC", ["ookedAt"]),
    ("decant recipes Guests.sqlite se", ["arch"]),
  ]

  @Test(arguments: shells)
  func `a shell completes verbs, options, files, and names in the store`(_ shell: String) throws {
    let place = try CommandFolder()
    let script = Fixtures.projectFolder.appendingPathComponent("Tests/Completions/type.py").path
    for (line, expected) in Effort.part(of: Self.lines, each: 3) {
      let run = try Program.run(["python3", script, shell, DecantProgram.path, line] + expected, in: place.url)
      #expect(run.status == 0, "\(run.errors)")
      for text in expected {
        #expect(run.output.contains(text), "\(shell): \(line)\n\(run.output)")
      }
    }
  }

  /// The names that the program offers, asked as a script of completions asks.
  private static func names(
    _ verb: String,
    _ option: String,
    _ words: [String],
    in place: CommandFolder
  ) throws -> [String] {
    let words = ["decant", verb] + words
    let run = try place.run(
      [
        "---completion", verb, "--", option, String(words.count - 1),
        String(words.last?.count ?? 0),
      ]
        + words
    )
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    return run.output.split(separator: "\n").map(String.init)
  }

  @Test func `names come from the store that the line names`() throws {
    let place = try CommandFolder()
    _ = try Program.sqlite3(place.folder.path("t.db"), "CREATE TABLE team (id INTEGER PRIMARY KEY, city TEXT)")
    #expect(try place.run(["export", "Kitchen.sqlite", "k.decant.gz", "--quiet"]).status == 0)
    #expect(
      try Self.names("copy", "--where", ["t.db", "n.db", "--where", ""], in: place) == [
        "team: city", "team: id",
      ]
    )
    for store in ["Kitchen.sqlite", "'Kitchen.sqlite'", "coredata:Kitchen.sqlite", "k.decant.gz"] {
      let names = try Self.names("export", "--each", [store, "x", "--each", ""], in: place)
      #expect(names.contains("Recipe") && !names.contains("team"), "\(store): \(names)")
    }
    // References lead to the objects of another store than the one that holds them.
    let words = [
      "t.db", "--at", "team.city", "--store", "Kitchen.sqlite", "--identity", "'Tag: na",
    ]
    #expect(try Self.names("repoint", "--identity", words, in: place).contains("Tag: name"))
    #expect(
      try Self.names("repoint", "--at", ["t.db", "--at", "team."], in: place) == [
        "team.city", "team.id",
      ]
    )
  }

  @Test(arguments: [["nosuch.sqlite"], [], ["README"], ["."]])
  func `nothing is offered, and nothing is said, without a store`(_ stores: [String]) throws {
    let place = try CommandFolder()
    _ = try Program.run(["sh", "-c", "echo no store > README"], in: place.url)
    let words = stores + ["n.sqlite", "--where", ""]
    #expect(try Self.names("copy", "--where", words, in: place).isEmpty)
  }
}
