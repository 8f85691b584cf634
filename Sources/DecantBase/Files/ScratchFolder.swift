internal import DecantSystem

/// A folder for temporary files, in the folder that `TMPDIR` names, or in `/tmp`; it is removed with the value.
///
/// Only this user has access. Its name, `decant-PROCESS-START-…`, identifies its process by ID and start time, as IDs
/// are reused. While in use the folder is also locked: this distinguishes leftovers of a killed process from folders in
/// use, even if the other process is not visible.
package final class ScratchFolder: Sendable {
  package let path: String
  /// The open folder, which holds the lock.
  private let descriptor: Int32

  /// Creates an empty folder, and removes those of processes that have ended.
  ///
  /// - Parameter inMemory: Whether to create it in a file system in memory, if there is one with enough space.
  /// - Throws: `DecantError` if no folder can be created.
  package init(inMemory: Bool = false) throws(DecantError) {
    ScratchFolder.clear()
    let parent = inMemory ? ScratchFolder.roomyMemory ?? ScratchFolder.parent : ScratchFolder.parent
    let process = ProcessStart.own
    // Another process may remove the folder before it is locked; then another name is tried.
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
      // Where the file system supports no locks, the name alone must suffice.
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
    // The next run removes what cannot be removed now.
    try? Files.removeTree(path)
    Files.release(descriptor)
  }

  /// Removes the folders, with their content, of this user's processes that have ended.
  ///
  /// Folders that cannot be removed stay: they do not concern the user of this run.
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

  /// Removes a folder whose process has ended, unless it belongs to another user or is still locked.
  private static func remove(_ path: String) {
    // Does not follow a link of that name.
    let descriptor = open(path, openFlags)
    guard descriptor >= 0 else { return }
    defer { Files.release(descriptor) }
    guard let status = FileStatus(descriptor: descriptor), status.isFolder,
      status.owner.user == geteuid(), Files.claim(descriptor)
    else { return }
    // Through the open folder: a new file of the same name is not touched.
    let inside = "/proc/self/fd/\(descriptor)"
    guard status.isSame(as: inside), (try? Files.removeContent(of: inside)) != nil else { return }
    rmdir(path)
  }

  private static let openFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC

  /// The folder in which temporary folders are created.
  package static var parent: String {
    // An empty value counts as unset.
    guard let named = getenv("TMPDIR"), named.pointee != 0 else { return "/tmp" }
    return String(cString: named)
  }

  /// The file system in memory on Linux.
  private static let memory = "/dev/shm"

  /// That file system, if this user can write to it and it has space for some stores.
  private static var roomyMemory: String? {
    guard FileStatus(memory)?.isFolder == true, Files.isWritable(memory),
      let free = Files.freeByteCount(beside: memory + "/"), free >= 64 << 20
    else { return nil }
    return memory
  }

  private static func start(_ process: ProcessStart) -> String {
    "decant-\(process.number)-\(process.began)-"
  }

  /// Returns the process that created the folder called `name`; `nil` for another kind of name.
  private static func owner(of name: String) -> ProcessStart? {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "decant", parts[3].utf8.count == 6,
      let number = Int32(parts[1]), number > 0, let began = UInt64(parts[2])
    else { return nil }
    let process = ProcessStart(number: number, began: began)
    return name.hasPrefix(start(process)) ? process : nil
  }
}
