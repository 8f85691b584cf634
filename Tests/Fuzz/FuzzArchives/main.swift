import CFuzzer
import Decant
import Glibc

/// Reads each input as the lines of an archive, with small limits and some bytes at a time: for the proof
/// only, and of every sixteenth length into tables as an import does.
///
/// Errors are welcome; a trap, a report of the address sanitizer, more memory or time than libFuzzer
/// allows, and an archive that is taken without a receipt are findings.
private func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = UnsafeRawBufferPointer(start: start, count: count)
  do {
    try read(bytes, ArchiveCheck())
    if count % 16 == 0 { try stage(bytes) }
  } catch {}
  return 0
}

private func read(_ bytes: UnsafeRawBufferPointer, _ taker: any ArchiveTaker) throws(DecantError) {
  var limits = ArchiveLimits()
  limits.lineByteCount = 8192
  limits.objectCount = 50
  // Salvaging goes on where others stop.
  let salvages = bytes.count % 2 == 0
  let reader = ArchiveReader(taker, limits: limits, salvages: salvages, cancellation: Cancellation())
  try reader.read(input(bytes), of: "input")
  try reader.finish("input")
  precondition(reader.header != nil && (reader.receipt != nil || reader.damage != nil))
}

private func stage(_ bytes: UnsafeRawBufferPointer) throws {
  let folder = try TemporaryFolder()
  let stager = try ArchiveStager(in: folder.path, keepsReferences: false)
  try read(bytes, stager)
  try stager.finish()
}

/// The lines of `bytes`, which come in pieces of many lengths.
private func input(_ bytes: UnsafeRawBufferPointer) -> LineInput {
  var place = 0
  var number = 0
  return LineInput { buffer throws(DecantError) in
    number += 1
    let count = min(bytes.count - place, buffer.count, [1, 7, 64, 4096][number % 4])
    guard count > 0 else { return 0 }
    buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[place..<(place + count)]))
    place += count
    return count
  }
}

// In memory, where there is a place for that.
if access("/dev/shm", W_OK) == 0 { setenv("TMPDIR", "/dev/shm", 1) }
private var argumentCount = CommandLine.argc
private var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
exit(LLVMFuzzerRunDriver(&argumentCount, &arguments, fuzz))
