internal import CTestSupport
public import Foundation
import Glibc

/// A program that runs beside the test; it is killed where this value ends first.
///
/// It inherits no descriptor but its three streams, whichever thread starts another program meanwhile: a pipe in the
/// hands of a stranger has no end. Foundation's `Process` does not promise that, and runs other tests while it waits.
public final class RunningProgram {
  /// What one of its streams is.
  public enum Stream {
    case null, pipe, inherited
    /// A file, which is created or emptied; two streams may share it.
    case file(String)
  }

  /// How it ended.
  public enum End: Equatable, Sendable {
    case exited(Int32), killed(Int32)

    /// The exit code, or the signal that ended it.
    var number: Int32 {
      switch self {
      case .exited(let number), .killed(let number): number
      }
    }
  }

  /// The number of the process.
  public let number: Int32
  private let input: Descriptor?
  /// What it prints, and its errors; `nil` where the stream is no pipe.
  let output: Descriptor?
  let errors: Descriptor?
  private var known: End?

  /// Starts `arguments`, the first of which is a path or a name found in `PATH`.
  public init(
    _ arguments: [String],
    in folder: URL? = nil,
    environment: [String: String] = [:],
    input: Stream = .pipe,
    output: Stream = .pipe,
    errors: Stream = .null
  ) throws {
    // Without its site packages, which few tests use, Python starts in a fifth of the time.
    let python = arguments.first == "python3" ? [Program.python, "-S", "-E", "-B"] : []
    let arguments = python + arguments.dropFirst(python.isEmpty ? 0 : 1)
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    if let folder { posix_spawn_file_actions_addchdir_np(&actions, folder.path) }
    // Ends of pipes that are the program's own; ours are closed with this value.
    var theirs: [Descriptor] = []
    var ours: [Descriptor?] = []
    for (place, stream) in [input, output, errors].enumerated() {
      let place = Int32(place)
      var pipe: Descriptor?
      switch stream {
      case .inherited: break
      case .null: posix_spawn_file_actions_addopen(&actions, place, "/dev/null", O_RDWR, 0)
      case .file(let path):
        posix_spawn_file_actions_addopen(&actions, place, path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o644)
      case .pipe:
        var ends: [Int32] = [0, 0]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { throw Program.Failure(program: arguments[0], errors: "no pipe") }
        let (read, write) = (Descriptor(ends[0]), Descriptor(ends[1]))
        theirs.append(place == 0 ? read : write)
        pipe = place == 0 ? write : read
        posix_spawn_file_actions_adddup2(&actions, theirs[theirs.count - 1].number, place)
      }
      ours.append(pipe)
    }
    posix_spawn_file_actions_addclosefrom_np(&actions, 3)
    // Signals mean to it what they mean to a program that a shell starts.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }.map { "\($0)=\($1)" }
    var process: pid_t = 0
    let failure = Self.withWords(arguments) { words in
      Self.withWords(variables) { posix_spawnp(&process, arguments[0], &actions, &attributes, words, $0) }
    }
    guard failure == 0 else {
      throw Program.Failure(program: arguments[0], errors: String(cString: strerror(failure)))
    }
    number = process
    (self.input, self.output, self.errors) = (ours[0], ours[1], ours[2])
  }

  deinit {
    kill()
  }

  private static func withWords<R>(_ words: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> R) -> R {
    let copies = words.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }

  /// Writes to its input; a program that does not read is no error here.
  public func write(_ data: Data) {
    // A program that has ended must not end the tests.
    _ = Self.isPipeSignalIgnored
    var rest = data[...]
    while let input, !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(input.number, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  public func write(_ text: String) {
    write(Data(text.utf8))
  }

  private static let isPipeSignalIgnored: Void = { signal(SIGPIPE, SIG_IGN) }()

  public func closeInput() {
    input?.close()
  }

  /// Waits for what it prints next; empty at its end.
  ///
  /// Reads the errors of a program whose output is no pipe.
  public func read() -> Data {
    (output ?? errors)?.read() ?? Data()
  }

  /// Reads to the end of what it prints.
  public func readToEnd() -> String {
    read { _ in false }
  }

  /// Reads until `text` was said, or until it ends; returns what it said.
  @discardableResult
  public func wait(for text: String) -> String {
    read { $0.contains(text) }
  }

  /// Reads until `isEnough`, or to the end.
  private func read(until isEnough: (String) -> Bool) -> String {
    var all = Data()
    while true {
      let more = read()
      all += more
      let text = String(decoding: all, as: UTF8.self)
      if more.isEmpty || isEnough(text) { return text }
    }
  }

  /// Reads both streams to their end: a program that fills one must not wait for the other.
  func drain() -> (output: Data, errors: Data) {
    var read = [Data(), Data()]
    var streams = [output, errors].map { pollfd(fd: $0?.number ?? -1, events: Int16(POLLIN), revents: 0) }
    while streams.contains(where: { $0.fd >= 0 }) {
      guard poll(&streams, 2, -1) > 0 else { continue }
      for (place, stream) in [output, errors].enumerated() where streams[place].revents != 0 {
        let more = stream?.read() ?? Data()
        if more.isEmpty { streams[place].fd = -1 }
        read[place] += more
      }
    }
    return (read[0], read[1])
  }

  public func send(_ signal: Int32) {
    // A process that was waited for is another's number.
    if known == nil { Glibc.kill(number, signal) }
  }

  @discardableResult
  public func kill() -> End {
    send(SIGKILL)
    return waitUntilExit()
  }

  public var isRunning: Bool {
    wait(WNOHANG) == nil
  }

  @discardableResult
  public func waitUntilExit() -> End {
    wait(0) ?? .exited(-1)
  }

  private func wait(_ options: Int32) -> End? {
    if let known { return known }
    var status: Int32 = 0
    var process: pid_t
    repeat { process = waitpid(number, &status, options) } while process < 0 && errno == EINTR
    guard process != 0 else { return nil }
    let signal = status & 0x7f
    known = process < 0 ? .exited(-1) : signal == 0 ? .exited((status >> 8) & 0xff) : .killed(signal)
    return known
  }

  /// Closes its input, reads the rest, and returns how it ended and what it said last.
  public func end() -> (status: Int32, rest: String) {
    closeInput()
    let rest = readToEnd()
    return (waitUntilExit().number, rest)
  }
}

/// A descriptor that is closed with this value.
final class Descriptor {
  private(set) var number: Int32

  init(_ number: Int32) {
    self.number = number
  }

  deinit {
    close()
  }

  func close() {
    guard number >= 0 else { return }
    Glibc.close(number)
    number = -1
  }

  /// Waits for bytes; empty at the end.
  func read() -> Data {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(number, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      return Data(buffer[..<max(count, 0)])
    }
  }
}
