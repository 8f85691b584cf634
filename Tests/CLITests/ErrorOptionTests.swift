import Decant
import TestSupport
import Testing

/// Options that errors of the library name: the program has every one of them.
@Suite struct ErrorOptionTests {
  @Test func `an option that an error can name is one of the program`() throws {
    let verbs = [
      "inspect", "copy", "merge", "export", "import", "verify", "diff", "check", "migrate", "query",
      "repoint", "clean", "rollback", "doctor",
    ]
    let help = try verbs.map { try Program.run([DecantProgram.path, $0, "--help-hidden"]).output }
      .joined()
    for option in DecantError.Option.allCases {
      #expect(help.contains("--\(option.rawValue)"), "\(option)")
    }
  }
}
