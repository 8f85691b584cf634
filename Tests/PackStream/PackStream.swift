import DecantContainers
import Glibc

/// Packs or unpacks standard input to standard output, in a process of its own.
///
/// For tests of what only a whole process shows, such as its peak memory and the signals that end it, and
/// for measuring:
///
///     PackStream pack NAME [LEVEL]    by the extension of NAME
///     PackStream unpack               all members in a row
///
/// It says what failed, and then its peak memory in KiB, on standard error.
@main struct PackStream {
  static func main() {
    let arguments = CommandLine.arguments
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 4096)
    defer { buffer.deallocate() }
    do throws(ContainerError) {
      switch arguments.dropFirst().first {
      case "pack" where arguments.count > 2:
        let level = arguments.count > 3 ? Int(arguments[3]) : nil
        try pack(Compression(fileName: arguments[2]), level: level, buffer)
      case "unpack": try unpack(buffer)
      default:
        say("usage: PackStream pack NAME [LEVEL], or PackStream unpack")
        exit(64)
      }
      say("peak \(peakMemory())")
    } catch {
      say("\(error)")
      say("peak \(peakMemory())")
      exit(1)
    }
  }

  private static func pack(
    _ compression: Compression,
    level: Int?,
    _ buffer: UnsafeMutableRawBufferPointer
  ) throws(ContainerError) {
    let writer = try ContainerWriter(descriptor: STDOUT_FILENO, compression, level: level)
    while true {
      let count = read(STDIN_FILENO, buffer.baseAddress, buffer.count)
      guard count >= 0 else { throw .system("read", errno: errno) }
      guard count > 0 else { return try writer.finish() }
      try writer.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }

  private static func unpack(_ buffer: UnsafeMutableRawBufferPointer) throws(ContainerError) {
    let reader = try ContainerReader(descriptor: STDIN_FILENO)
    while try reader.nextMember() != nil {
      while true {
        let count = try reader.read(into: buffer)
        guard count > 0 else { break }
        var rest = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        while !rest.isEmpty {
          let written = write(STDOUT_FILENO, rest.baseAddress, rest.count)
          guard written >= 0 else { throw .system("write", errno: errno) }
          rest = UnsafeRawBufferPointer(rebasing: rest[written...])
        }
      }
    }
  }

  private static func say(_ text: String) {
    let line = text + "\n"
    write(STDERR_FILENO, line, line.utf8.count)
  }

  /// What was resident at most since this program started, in KiB, as the system counts it.
  private static func peakMemory() -> Int {
    guard let file = fopen("/proc/self/status", "r") else { return -1 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      guard text.hasPrefix("VmHWM:") else { continue }
      return Int(text.filter(\.isNumber)) ?? -1
    }
    return -1
  }
}
