import CFuzzer
import DecantContainers
import Glibc

/// Reads each input as a container, with limits so small that they are met, and few bytes at a time.
///
/// Errors are welcome; a trap, a report of the address sanitizer, more memory or time than libFuzzer
/// allows, and a member behind an error are findings.
private func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  put(UnsafeRawBufferPointer(start: start, count: count))
  // The input itself decides, so that it does the same each time.
  let limits = ContainerLimits(totalByteCount: 1 << 20, memberCount: 50, depth: count % 8 == 0 ? 1 : 3)
  do throws(ContainerError) {
    let reader = try ContainerReader(descriptor: file, limits: limits)
    do throws(ContainerError) {
      try read(reader, within: limits)
    } catch {
      do throws(ContainerError) {
        _ = try reader.nextMember()
        fatalError("there is more behind an error: \(error)")
      } catch {}
    }
  } catch {
    fatalError("it failed before it read: \(error)")
  }
  return 0
}

private func read(_ reader: ContainerReader, within limits: ContainerLimits) throws(ContainerError) {
  var (total, members) = (0, 0)
  while let member = try reader.nextMember() {
    members += 1
    precondition(members <= limits.memberCount && member.depth <= limits.depth)
    precondition(!member.name.debugDescription.isEmpty)
    // Every third member is left where it begins.
    while members % 3 != 0 {
      var piece: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
      let count = try readPiece(reader, &piece)
      if count == 0 { break }
      total += count
      precondition(total <= limits.totalByteCount)
    }
  }
}

private func readPiece(
  _ reader: ContainerReader,
  _ piece: inout (UInt64, UInt64, UInt64, UInt64)
) throws(ContainerError) -> Int {
  let result = withUnsafeMutableBytes(of: &piece) { buffer -> Result<Int, ContainerError> in
    do throws(ContainerError) { return .success(try reader.read(into: buffer)) } catch {
      return .failure(error)
    }
  }
  return try result.get()
}

/// A file without a name, in memory where there is a place for that, which each input is put into.
private let file: Int32 = {
  for folder in ["/dev/shm", "/tmp"] {
    var path = Array("\(folder)/decant-fuzz-XXXXXX".utf8CString)
    let descriptor = mkstemp(&path)
    guard descriptor >= 0 else { continue }
    unlink(path)
    return descriptor
  }
  fatalError("no file can be made to read from")
}()

private func put(_ bytes: UnsafeRawBufferPointer) {
  guard ftruncate(file, 0) == 0, pwrite(file, bytes.baseAddress, bytes.count, 0) == bytes.count,
    lseek(file, 0, SEEK_SET) == 0
  else { fatalError("the input cannot be written to a file") }
}

private var argumentCount = CommandLine.argc
private var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
exit(LLVMFuzzerRunDriver(&argumentCount, &arguments, fuzz))
