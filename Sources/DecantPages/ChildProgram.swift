package import DecantBase
internal import DecantSystem

/// Another program that is run as a child, without a shell.
package enum ChildProgram {
  /// Runs a program found in `PATH`, and waits for it.
  ///
  /// - Parameters:
  ///   - arguments: The program's name, and its arguments. It gets no input, and its output is discarded.
  ///   - errors: The file for its standard error.
  ///   - seconds: The maximum time to wait for it; a program that takes longer continues in the background.
  /// - Returns: Its exit code, 128 or more for a signal, 0 for one that continues; `nil` if there is no such program.
  /// - Throws: `DecantError` if it cannot be run.
  package static func run(_ arguments: [String], errors: String, seconds: Int? = nil) throws(DecantError) -> Int32? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    var words = arguments.map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    var process = pid_t()
    let failure = posix_spawnp(&process, arguments[0], &actions, nil, &words, environ)
    if failure == ENOENT { return nil }
    guard failure == 0 else { throw DecantError(SystemError("run", arguments[0], code: failure)) }
    guard let status = try wait(for: process, arguments[0], seconds) else { return 0 }
    let signal = status & 0x7f
    return signal == 0 ? (status >> 8) & 0xff : 128 + signal
  }

  /// Returns how a child ended, as reported by the system; `nil` if it is still running after `seconds`.
  private static func wait(for process: pid_t, _ name: String, _ seconds: Int?) throws(DecantError) -> Int32? {
    var status: Int32 = 0
    // Counted in twentieths of a second.
    var rest = seconds.map { $0 * 20 }
    while true {
      let ended = waitpid(process, &status, rest == nil ? 0 : WNOHANG)
      if ended > 0 { return status }
      guard ended == 0 || errno == EINTR else { throw DecantError(SystemError("wait for", name)) }
      if rest == 0 { return nil }
      rest = rest.map { $0 - 1 }
      if rest != nil { usleep(50_000) }
    }
  }
}
