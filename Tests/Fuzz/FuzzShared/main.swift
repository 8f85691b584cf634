import CFuzzer
import Decant
import Glibc

/// Reads each input as a page with an archive in it, and as a mail that has one attached.
///
/// Errors are welcome; a trap, a report of the address sanitizer, more memory or time than libFuzzer
/// allows, and a page whose lines depend on the size of the buffers are findings.
private func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = UnsafeRawBufferPointer(start: start, count: count)
  let whole = lines(inPage: bytes, [1 << 15], [1 << 15])
  precondition(lines(inPage: bytes, [1, 3, 100], [1, 7, 8, 9, 31]) == whole)
  precondition(whole.count <= count)
  unlink(file)
  do { try MailAttachment.extract(LineInput(source(bytes, [5, 200])), to: file) } catch {}
  return 0
}

/// What the block of a page holds, read by pieces of `sizes` into buffers of `rooms`.
private func lines(inPage bytes: UnsafeRawBufferPointer, _ sizes: [Int], _ rooms: [Int]) -> [UInt8] {
  var block = PageBlock(source(bytes, sizes))
  var found: [UInt8] = []
  let room = UnsafeMutableRawBufferPointer.allocate(byteCount: rooms.max() ?? 1, alignment: 8)
  defer { room.deallocate() }
  var number = 0
  while true {
    let part = UnsafeMutableRawBufferPointer(rebasing: room[..<rooms[number % rooms.count]])
    number += 1
    do throws(DecantError) {
      let count = try block.read(into: part)
      guard count > 0 else { return found }
      found += room[..<count]
    } catch {
      fatalError("a page cannot be read: \(error)")
    }
  }
}

private func source(_ bytes: UnsafeRawBufferPointer, _ sizes: [Int])
  -> (UnsafeMutableRawBufferPointer) throws(DecantError) -> Int
{
  var place = 0
  var number = 0
  return { buffer throws(DecantError) in
    number += 1
    let count = min(bytes.count - place, buffer.count, sizes[number % sizes.count])
    guard count > 0 else { return 0 }
    buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[place..<(place + count)]))
    place += count
    return count
  }
}

/// Where attachments go: in memory, where there is a place for that.
private let file = "\(access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp")/decant-fuzz-\(getpid())"

private var argumentCount = CommandLine.argc
private var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
private let status = LLVMFuzzerRunDriver(&argumentCount, &arguments, fuzz)
unlink(file)
exit(status)
