import Decant
import Testing

/// Laws of texts: what is read in a shell, what an app shows, and what both ask for.
@Suite struct TextTests {
  struct Example: CustomTestStringConvertible, Sendable {
    let text: DecantError.Text
    let commandLine: String
    let app: String
    var said: [DecantError.Remedy] = []

    var testDescription: String { commandLine }
  }

  static let examples: [Example] = [
    Example(
      text: "\(option: .links) or \(say: .merge, "Tag: skip")",
      commandLine: "--links or --merge 'Tag: skip'",
      app: "“links” or “merge Tag: skip”",
      said: [.setOption(.merge, "Tag: skip")]
    ),
    Example(text: .again, commandLine: "run the same command again", app: "try again"),
    Example(
      text: "free some space, then \(.again)",
      commandLine: "free some space, then run the same command again",
      app: "free some space, then try again"
    ),
    Example(
      text: "\(.again(with: .resume)) to continue",
      commandLine: "run the same command with --resume to continue",
      app: "try again with “resume” to continue",
      said: [.resume]
    ),
    Example(
      text: "find them with \(command: "query \("My Kitchen.sqlite".shellWord)", app: "a query") first",
      commandLine: "find them with decant query 'My Kitchen.sqlite' first",
      app: "find them with a query first"
    ),
    Example(
      text: "\(shell: "“decant diff a.db b.db \(option: .sql)”", app: "a patch") has them",
      commandLine: "“decant diff a.db b.db --sql” has them",
      app: "a patch has them"
    ),
    Example(
      text: "\(command: "migrate a.sqlite \(say: .mapping) FILE", app: "a migration with \(option: .mapping)")",
      commandLine: "decant migrate a.sqlite --mapping FILE",
      app: "a migration with “mapping”",
      said: [.giveMapping]
    ),
  ]

  @Test(arguments: examples)
  func `a text has words for a shell and words for an app`(example: Example) {
    #expect(example.text.commandLine == example.commandLine)
    #expect(example.text.description == example.app)
    #expect(example.text.saidOptions == example.said)
  }

  @Test func `an option of a command is named, and one of an app alone is not`() {
    let text: DecantError.Text = "\(command: "copy a b \(option: .append)", app: "a copy with \(option: .model)")"
    #expect(text.names(.append) && !text.names(.model))
  }

  @Test func `words are replaced in commands as well`() {
    let text: DecantError.Text = "a.db: \(command: "inspect a.db", app: "an inspection of a.db")"
    let other = text.replacing("a.db", with: "b.db")
    #expect(other.commandLine == "b.db: decant inspect b.db")
    #expect(other.description == "b.db: an inspection of b.db")
  }

  @Test func `no password stands in a command or in what an app shows in its place`() {
    let place = "https://me:secret@example.org/a.db"
    let text: DecantError.Text = "\(command: "inspect \(place)", app: "an inspection of \(place)")"
    for words in [text.commandLine, text.description] {
      #expect(words.contains("example.org/a.db") && !words.contains("secret"), "\(words)")
    }
  }

  @Test func `who is told to try again is told so once`() {
    let texts: [DecantError.Text] = [.again, "wait, then \(.again)", .again(with: .resume), "wait", ""]
    #expect(texts.map(\.saysAgain) == [true, true, false, false, false])
  }
}
