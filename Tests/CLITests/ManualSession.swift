import Foundation
import TestSupport

/// The commands of a page, in the order in which they stand there, as one session of a shell.
///
/// A block marked `console` holds lines that begin with `$`, lines behind these that begin with `>` and continue a
/// command, and below them what the command prints. A comment that begins with `<!-- sh` holds commands that prepare the
/// data of an example and print nothing. The session begins in a folder with the files of `samples/`.
struct ManualSession {
  struct Command {
    let text: String
    /// What the page says that the command prints; `nil` for a command of a comment.
    let expected: String?
  }

  struct Outcome {
    let command: Command
    let output: String
    let status: Int32
    /// Whether the page shows the status, by `echo $?` as the next command.
    let isStatusShown: Bool
  }

  let commands: [Command]

  init(_ page: String) {
    let parts = page.matches(of: /(?s)```console\n(.*?)\n```|<!-- sh\n(.*?)\n-->/).map(\.output)
    commands = parts.flatMap { _, session, preparation in
      if let preparation { return [Command(text: String(preparation), expected: nil)] }
      return Self.commands(in: String(session ?? ""))
    }
  }

  private static func commands(in session: String) -> [Command] {
    ("\n" + session).components(separatedBy: "\n$ ").dropFirst().map { part in
      let lines = part.components(separatedBy: "\n")
      let count = 1 + lines.dropFirst().prefix { $0.hasPrefix("> ") }.count
      let text = [lines[0]] + lines[1..<count].map { String($0.dropFirst(2)) }
      return Command(
        text: text.joined(separator: "\n"),
        expected: lines[count...].joined(separator: "\n")
      )
    }
  }

  /// Runs all commands in one shell, in a new folder.
  func run() throws -> [Outcome] {
    let folder = try TemporaryFolder()
    let samples = Fixtures.projectFolder.appendingPathComponent("samples")
    for name in try FileManager.default.contentsOfDirectory(atPath: samples.path) {
      try FileManager.default.copyItem(
        at: samples.appendingPathComponent(name),
        to: folder.url.appendingPathComponent(name)
      )
    }
    let mark = "@@@ status "
    let script = commands.map { "\($0.text)\ns=$?; printf '\\n\(mark)%s\\n' $s; (exit $s)\n" }
    let run = try Program.run(
      ["sh", "-c", "exec 2>&1\n" + script.joined()],
      in: folder.url,
      environment: try environment()
    )
    let parts = run.output.components(separatedBy: "\n\(mark)")
    var outcomes: [Outcome] = []
    var output = parts[0]
    for (index, part) in parts.dropFirst().enumerated() {
      let lines = part.components(separatedBy: "\n")
      outcomes.append(
        Outcome(
          command: commands[index],
          output: output.replacing(folder.url.path + "/", with: "/home/anna/"),
          status: Int32(lines[0]) ?? -1,
          isStatusShown: commands.dropFirst(index + 1).first?.text.hasPrefix("echo $?") ?? false
        )
      )
      output = lines.dropFirst().joined(separator: "\n")
    }
    return outcomes
  }

  private func environment() throws -> [String: String] {
    let bin = URL(fileURLWithPath: DecantProgram.path).deletingLastPathComponent().path
    var environment = [
      "PATH": bin + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"),
      "TZ": "UTC", "LC_ALL": "C.UTF-8", "GIT_CONFIG_GLOBAL": "/dev/null",
    ]
    for role in ["AUTHOR", "COMMITTER"] {
      environment["GIT_\(role)_NAME"] = "tester"
      environment["GIT_\(role)_EMAIL"] = "tester@example.org"
    }
    return environment
  }

  /// Whether `output` is what the page expects.
  ///
  /// A line `…` in it stands for any number of lines.
  static func fits(_ output: String, _ expected: String) -> Bool {
    let lines = lasting(output)
    let parts = lasting(expected).split(separator: "…", omittingEmptySubsequences: false)
    guard let first = parts.first, let last = parts.last, parts.count > 1 else {
      return lines == lasting(expected)
    }
    guard lines.starts(with: first) else { return false }
    var rest = lines.dropFirst(first.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let found = rest.firstRange(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return rest.count >= last.count && rest.suffix(last.count).elementsEqual(last)
  }

  /// Returns the lines of `text` without what differs from run to run: seconds, memory and times.
  private static func lasting(_ text: String) -> [String] {
    text.replacing(/\d+\.\d\d s · [\d.]+ MB of memory/, with: "…")
      .replacing(/last written \S+/, with: "last written …")
      .trimmingCharacters(in: .newlines).components(separatedBy: "\n")
  }
}
