import DecantContainers
import Foundation
import TestSupport
import Testing

/// What the system refuses is an error with its `errno`, and never the end of the process.
@Suite struct ContainerFaultTests {
  private let packed: Packed

  init() throws { packed = try Packed() }

  /// Writes `byteCount` random bytes, and returns what every call from the first failure on throws.
  private func failure(_ descriptor: Int32, _ compression: Compression, byteCount: Int) throws -> ContainerError? {
    let writer = try ContainerWriter(descriptor: descriptor, compression)
    let piece = Plain.random(min(byteCount, 1 << 20))
    do throws(ContainerError) {
      for _ in 0..<(byteCount / piece.count) {
        let result = piece.withUnsafeBytes { bytes -> Result<Void, ContainerError> in
          do throws(ContainerError) { return .success(try writer.write(bytes)) } catch {
            return .failure(error)
          }
        }
        try result.get()
      }
    } catch {
      #expect(throws: error) { try writer.write(UnsafeRawBufferPointer(start: nil, count: 0)) }
      #expect(throws: error) { try writer.finish() }
      return error
    }
    do throws(ContainerError) { try writer.finish() } catch { return error }
    return nil
  }

  @Test(arguments: compressions, [16, 30_000_000])
  func `a full disk is an error`(_ compression: Compression, _ byteCount: Int) throws {
    let descriptor = open("/dev/full", O_WRONLY | O_CLOEXEC)
    defer { close(descriptor) }
    let error = try failure(descriptor, compression, byteCount: byteCount)
    #expect(error == .system("write", errno: ENOSPC))
  }

  @Test(arguments: compressions, [16, 30_000_000])
  func `a closed pipe is an error`(_ compression: Compression, _ byteCount: Int) throws {
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    let descriptor = pipe.fileHandleForWriting.fileDescriptor
    let error = try failure(descriptor, compression, byteCount: byteCount)
    #expect(error == .system("write", errno: EPIPE))
  }

  @Test(arguments: ["decant", "gz", "zst", "xz", "lz4", "zip"])
  func `a reader that leaves does not kill the process`(_ name: String) throws {
    // In a process where nothing else may have had the signal ignored.
    let run = try packed.packStream(
      "pack x.\(name)",
      "< /dev/urandom 2> \"$plain\" | head -c 100000 > /dev/null; cat \"$plain\""
    )
    #expect(run.output.hasPrefix("write failed: Broken pipe\n"), "\(run.output)")
  }

  @Test(arguments: compressions)
  func `a descriptor that is not open is an error`(_ compression: Compression) throws {
    #expect(try failure(-1, compression, byteCount: 16) == .system("write", errno: EBADF))
    let reader = try ContainerReader(descriptor: -1)
    #expect(throws: ContainerError.system("read", errno: EBADF)) { try reader.nextMember() }
  }

  @Test func `a file that is not there, and a folder, are errors`() throws {
    #expect(throws: ContainerError.system("open", errno: ENOENT)) { try packed.read() }
    #expect(throws: ContainerError.system("read", errno: EISDIR)) {
      try ContainerReader(path: packed.folder.url.path).nextMember()
    }
  }

  @Test(arguments: compressions)
  func `a writer that is given up does not wait for a reader`(_ compression: Compression) throws {
    let pipe = Pipe()
    let descriptor = pipe.fileHandleForWriting.fileDescriptor
    try {
      let writer = try ContainerWriter(descriptor: descriptor, compression)
      // Less than the ring holds, more than the pipe: nothing here waits, the thread does. Who waited
      // for it would wait without end.
      try Plain.random(2 << 20).withUnsafeBytes { try writer.write($0) }
    }()
  }

  @Test func `a pipe that does not block is waited for`() throws {
    let pipe = Pipe()
    let handle = pipe.fileHandleForWriting
    let descriptor = handle.fileDescriptor
    #expect(fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0)
    #expect(fcntl(pipe.fileHandleForReading.fileDescriptor, F_SETFL, O_NONBLOCK) == 0)
    let bytes = Plain.random(3 << 20)
    let feeder = Thread {
      let writer = try? ContainerWriter(descriptor: descriptor, .zstd)
      try? bytes.withUnsafeBytes { try writer?.write($0) }
      try? writer?.finish()
      // By its owner: it would close the number once more, which is another test's file by then.
      try? handle.close()
    }
    feeder.start()
    let reader = try ContainerReader(descriptor: pipe.fileHandleForReading.fileDescriptor)
    #expect(try Packed.read(reader).map(\.bytes) == [bytes])
  }
}
