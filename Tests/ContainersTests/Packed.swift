import DecantContainers
import Foundation
import TestSupport
import Testing

/// What was read of a container.
struct ReadMember: Hashable {
  let name: [UInt8]?
  let depth: Int
  let bytes: [UInt8]
  var kind = ContainerMember.Kind.file
}

/// One file that is written and read again, and the programs that others pack and unpack with.
final class Packed {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder(inMemory: true)
    path = folder.path("packed")
  }

  /// The bytes of the file.
  var bytes: [UInt8] {
    get throws { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }
  }

  /// Makes `bytes` the file.
  func put(_ bytes: [UInt8]) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  /// Has a `ContainerWriter` make the file of pieces.
  func write(_ pieces: [[UInt8]], _ compression: Compression, level: Int? = nil) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    let writer = try ContainerWriter(descriptor: descriptor, compression, level: level)
    for piece in pieces { try piece.withUnsafeBytes { try writer.write($0) } }
    try writer.finish()
  }

  /// Has a `ContainerReader` read the file, `step` bytes at a time.
  func read(_ limits: ContainerLimits = ContainerLimits(), step: Int = 1 << 16) throws -> [ReadMember] {
    try Self.read(ContainerReader(path: path, limits: limits), step: step)
  }

  /// Reads everything, `step` bytes at a time.
  static func read(_ reader: ContainerReader, step: Int = 1 << 16) throws -> [ReadMember] {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: step, alignment: 1)
    defer { buffer.deallocate() }
    var members: [ReadMember] = []
    while let member = try reader.nextMember() {
      // Not an array: without optimisation that appends byte by byte.
      var data = Data()
      while case let count = try reader.read(into: buffer), count > 0 {
        if let address = buffer.baseAddress { data.append(Data(bytes: address, count: count)) }
      }
      members.append(ReadMember(name: member.nameBytes, depth: member.depth, bytes: [UInt8](data), kind: member.kind))
    }
    return members
  }

  /// Runs Python, which finds the path of the file in `sys.argv[1]` and that of the plain bytes in
  /// `sys.argv[2]`.
  func python(_ script: String) throws {
    try run("python3", "-c", "import sys\npacked, plain = sys.argv[1:]\n" + script, path, plainPath)
  }

  /// Runs a command of the shell, to which `$packed` and `$plain` are the two files.
  func shell(_ command: String) throws {
    try run("sh", "-ec", "packed=$0 plain=$1\n" + command, path, plainPath)
  }

  /// Runs a program, which has to succeed.
  func run(_ command: String...) throws {
    let run = try Program.run(command, in: folder.url)
    guard run.status == 0 else { throw Program.Failure(program: command[0], errors: run.errors) }
  }

  /// Where PackStream is.
  static let packStreamPath = DecantProgram.folder.appendingPathComponent("PackStream").path

  /// Runs PackStream, the files of which are those that the shell's `redirection` names.
  func packStream(_ arguments: String, _ redirection: String, _ shell: String = "sh") throws -> Program {
    try Program.run(
      [shell, "-c", "'\(Self.packStreamPath)' \(arguments) \(redirection)"],
      in: folder.url,
      environment: ["packed": path, "plain": plainPath]
    )
  }

  /// Where plain bytes are for other programs.
  var plainPath: String { folder.path("plain") }

  /// The plain bytes that another program wrote, or that it is to pack.
  var plain: [UInt8] {
    get throws { [UInt8](try Data(contentsOf: URL(fileURLWithPath: plainPath))) }
  }

  /// Makes `bytes` the plain ones.
  func putPlain(_ bytes: [UInt8]) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: plainPath))
  }

  /// Whether tests may take their time.
  static let isSlow = ProcessInfo.processInfo.environment["DECANT_SLOW"] == "1"

  /// Ends the test where a program is missing whose opinion it needs.
  static func need(_ program: String) throws {
    if !has(program) { try Test.cancel("there is no \(program) program") }
  }

  /// Whether a program is there.
  static func has(_ program: String) -> Bool {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
  }
}
