internal import DecantSystem

/// A folder for what is needed while something runs, under the one that `TMPDIR` names, else under `/tmp`; it goes with the value.
///
/// Only this user can look into it. Its name, `decant-PROCESS-START-…`, says whose it is: the number of the process,
/// and when that began, as numbers are used again. As long as it is in use it is claimed, too; so what a process that was
/// killed has left can be told from what is in use, by one that cannot see the other as well.
package final class ScratchFolder: Sendable {
  package let path: String
  /// The open folder, which holds the claim.
  private let descriptor: Int32

  /// Makes an empty one, and removes those of processes that are gone.
  ///
  /// - Parameter inMemory: Whether to make it where the system keeps files in memory, if there is such a place with room.
  /// - Throws: `DecantError` where no folder can be made.
  package init(inMemory: Bool = false) throws(DecantError) {
    ScratchFolder.clear()
    let parent = inMemory ? ScratchFolder.roomyMemory ?? ScratchFolder.parent : ScratchFolder.parent
    let process = ProcessStart.own
    // Who clears may take away one that is not claimed yet; then there is another name.
    for _ in 1...100 {
      var template = Array("\(parent)/\(ScratchFolder.start(process))XXXXXX".utf8CString)
      guard mkdtemp(&template) != nil else {
        throw DecantError(SystemError("create a folder in", parent))
      }
      let path = template.withUnsafeBufferPointer { buffer in
        buffer.baseAddress.map { String(cString: $0) } ?? parent
      }
      let descriptor = open(path, ScratchFolder.openFlags)
      guard descriptor >= 0 else {
        let error = SystemError("list", path)
        guard error.isMissing else { throw DecantError(error) }
        continue
      }
      // Where a file system knows no claims the name alone has to do.
      if Files.claim(descriptor) || errno != EWOULDBLOCK,
        FileStatus(descriptor: descriptor)?.isSame(as: path) == true
      {
        (self.path, self.descriptor) = (path, descriptor)
        return
      }
      Files.release(descriptor)
    }
    throw DecantError(SystemError("create a folder in", parent, code: SystemError.inputOutput))
  }

  deinit {
    // What cannot be removed now the next run removes; nobody is left to tell.
    try? Files.removeTree(path)
    Files.release(descriptor)
  }

  /// Removes the folders of this user's processes that are gone, with all that is in them.
  ///
  /// What cannot be removed stays: it concerns nobody who runs this.
  package static func clear() { _ = cleared }

  private static let cleared: Void = {
    for parent in [ScratchFolder.parent, memory] {
      // A folder that cannot be read is not cleaned; a folder that cannot be written to is an error for its user.
      guard let names = try? Files.names(in: parent) else { continue }
      for name in names {
        guard let process = owner(of: name), !process.isRunning else { continue }
        remove("\(parent)/\(name)")
      }
    }
  }()

  /// Removes a folder whose process is gone, unless it is another user's, or claimed nevertheless.
  private static func remove(_ path: String) {
    // Not what a link of that name leads to.
    let descriptor = open(path, openFlags)
    guard descriptor >= 0 else { return }
    defer { Files.release(descriptor) }
    guard let status = FileStatus(descriptor: descriptor), status.isFolder,
      status.owner.user == geteuid(), Files.claim(descriptor)
    else { return }
    // Through the open folder: whatever has the name by now is left alone.
    let inside = "/proc/self/fd/\(descriptor)"
    guard status.isSame(as: inside), (try? Files.removeContent(of: inside)) != nil else { return }
    rmdir(path)
  }

  private static let openFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC

  private static var parent: String {
    // Set to nothing it is as good as not set.
    guard let named = getenv("TMPDIR"), named.pointee != 0 else { return "/tmp" }
    return String(cString: named)
  }

  /// Where Linux keeps files in memory.
  private static let memory = "/dev/shm"

  /// That place, where this user can write to it and there is room for some stores.
  private static var roomyMemory: String? {
    guard FileStatus(memory)?.isFolder == true, Files.isWritable(memory),
      let free = Files.freeByteCount(beside: memory + "/"), free >= 64 << 20
    else { return nil }
    return memory
  }

  private static func start(_ process: ProcessStart) -> String {
    "decant-\(process.number)-\(process.began)-"
  }

  /// The process that made the folder called `name`; `nil` for a name of another kind.
  private static func owner(of name: String) -> ProcessStart? {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "decant", parts[3].utf8.count == 6,
      let number = Int32(parts[1]), number > 0, let began = UInt64(parts[2])
    else { return nil }
    let process = ProcessStart(number: number, began: began)
    return name.hasPrefix(start(process)) ? process : nil
  }
}
