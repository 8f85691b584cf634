internal import CDecantLinux
internal import DecantSystem

/// File operations beside those of SQLite.
package enum Files {
  /// Returns the path without links and dots; `nil` if nothing exists there.
  package static func realPath(of path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Returns whether this process may read `path`.
  package static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }

  /// Returns whether this process may write `path`, a file or a folder.
  package static func isWritable(_ path: String) -> Bool { access(path, W_OK) == 0 }

  /// Returns the first bytes of the file at `path`, at most `count`; none if it cannot be read.
  package static func start(of path: String, count: Int) -> [UInt8] {
    let file = HeldFiles.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return [] }
    defer { HeldFiles.close(file) }
    var buffer = [UInt8](repeating: 0, count: count)
    let read = read(file, &buffer, count)
    return Array(buffer.prefix(max(read, 0)))
  }

  /// Returns the last bytes of the file at `path`, up to `count`; none if it cannot be read.
  package static func end(of path: String, count: Int) -> [UInt8] {
    let file = HeldFiles.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return [] }
    defer { HeldFiles.close(file) }
    let size = lseek(file, 0, SEEK_END)
    guard size > 0 else { return [] }
    var buffer = [UInt8](repeating: 0, count: min(count, Int(size)))
    let read = pread(file, &buffer, buffer.count, size - off_t(buffer.count))
    return Array(buffer.prefix(max(read, 0)))
  }

  /// Returns the folder that contains `path`.
  package static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Returns the last part of `path`.
  package static func name(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  /// Returns whether two paths name the same place, even if nothing exists there.
  package static func isSamePlace(_ one: String, _ other: String) -> Bool {
    if let file = FileStatus(one) { return file.isSame(as: other) }
    return name(of: one) == name(of: other)
      && FileStatus(folder(of: one))?.isSame(as: folder(of: other)) == true
  }

  /// Returns `path` with all links followed, or unchanged if nothing exists there.
  package static func resolved(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Removes the file at `path`; a missing file is not an error.
  package static func remove(_ path: String) throws(SystemError) {
    guard unlink(path) == 0 || errno == ENOENT else { throw SystemError("remove", path) }
  }

  /// Removes a folder of decant's own with its content; links are removed, not followed.
  package static func removeTree(_ path: String) throws(SystemError) {
    try removeContent(of: path)
    guard rmdir(path) == 0 else { throw SystemError("remove", path) }
  }

  /// Removes the content of a folder of decant's own; links are removed, not followed.
  static func removeContent(of path: String) throws(SystemError) {
    for name in try names(in: path) {
      let inner = "\(path)/\(name)"
      if FileStatus(unfollowed: inner)?.isFolder == true {
        try removeTree(inner)
      } else {
        try remove(inner)
      }
    }
  }

  /// Returns the names of the entries in the folder at `path`.
  package static func names(in path: String) throws(SystemError) -> [String] {
    var names: [String] = []
    try forEachName(in: path) { names.append($0) }
    return names
  }

  /// Calls `body` with the name of each entry in the folder at `path`.
  package static func forEachName(in path: String, _ body: (String) -> Void) throws(SystemError) {
    guard let folder = opendir(path) else { throw SystemError("list", path) }
    defer { closedir(folder) }
    errno = 0
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { body(name) }
      errno = 0
    }
    guard errno == 0 else { throw SystemError("list", path) }
  }

  /// The mode of a new file, before the user's umask applies.
  package static let newFileMode: UInt32 = 0o666

  /// The time in nanoseconds, as files have it of their last write.
  package static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Creates an empty file; fails if one exists.
  package static func makeEmpty(_ path: String, mode: UInt32 = newFileMode) throws(SystemError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw SystemError("write", path) }
    close(descriptor)
  }

  /// Creates a folder that only this user can access; an existing one is left unchanged.
  ///
  /// The name of a new folder is synced to the disk; its content is durable once it is synced itself.
  package static func makePrivateFolder(_ path: String) throws(SystemError) {
    if mkdir(path, 0o700) == 0 { return try syncFolder(folder(of: path)) }
    guard errno == EEXIST else { throw SystemError("make", path) }
  }

  /// Creates a folder and its missing parents.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - isSynced: Whether the names of created folders are synced to the disk.
  /// - Throws: `SystemError`; folders created so far remain.
  package static func makeFolder(_ path: String, isSynced: Bool = false) throws(SystemError) {
    if FileStatus(path)?.isFolder == true { return }
    let parent = folder(of: path)
    if parent != path, parent != "." { try makeFolder(parent, isSynced: isSynced) }
    if mkdir(path, 0o777) == 0 {
      if isSynced { try syncFolder(parent) }
      return
    }
    guard errno == EEXIST else { throw SystemError("make", path) }
  }

  /// Copies a file, as a clone if the file system supports it; a link is not followed.
  ///
  /// - Parameters:
  ///   - path: The file to read.
  ///   - copy: The file to create or overwrite.
  ///   - mode: The mode of a created file, before the user's umask; by default only this user has access.
  ///   - isSynced: Whether to sync the copy to the disk.
  ///   - goesOn: Called after each piece of at most 1 MiB, with the bytes written so far; returns whether to continue.
  /// - Throws: `SystemError`, with code `stopped` if `goesOn` returned false; the bytes written so far remain.
  package static func copy(
    _ path: String,
    to copy: String,
    mode: UInt32 = 0o600,
    isSynced: Bool = false,
    goesOn: (Int64) -> Bool = { _ in true }
  ) throws(SystemError) {
    let source = HeldFiles.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard source >= 0 else { throw SystemError("read", path) }
    defer { HeldFiles.close(source) }
    let target = open(copy, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    guard target >= 0 else { throw SystemError("write", copy) }
    defer { close(target) }
    if decant_clone(target, source) == 0 {
      guard !isSynced || fsync(target) == 0 else { throw SystemError("sync", copy) }
      return
    }
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    var written: Int64 = 0
    while true {
      let count = read(source, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw SystemError("read", path) }
      if count == 0 { break }
      let result = buffer.withUnsafeBytes { bytes in
        Result { () throws(SystemError) in
          try write(UnsafeRawBufferPointer(rebasing: bytes[..<count]), to: target, of: copy)
        }
      }
      try result.get()
      written += Int64(count)
      guard goesOn(written) else { throw SystemError("copy", path, code: SystemError.stopped) }
    }
    guard !isSynced || fsync(target) == 0 else { throw SystemError("sync", copy) }
  }

  /// Returns a hash of the content of a file, which is read in pieces.
  package static func hash(of path: String) throws(SystemError) -> String {
    guard let hash = ContentHash() else { throw SystemError("read", path, code: ENOMEM) }
    try forEachPiece(of: path) { piece in
      hash.update(piece)
      return true
    }
    return hash.text
  }

  /// Returns the content of a file; a link is not followed.
  package static func content(of path: String) throws(SystemError) -> [UInt8] {
    var content: [UInt8] = []
    try forEachPiece(of: path) { piece in
      content += piece
      return true
    }
    return content
  }

  /// Calls `body` with pieces of at most 1 MiB of a file until it returns false; a link is not followed.
  package static func forEachPiece(of path: String, _ body: (UnsafeRawBufferPointer) -> Bool) throws(SystemError) {
    let file = HeldFiles.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { throw SystemError("read", path) }
    defer { HeldFiles.close(file) }
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = read(file, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw SystemError("read", path) }
      guard count > 0 else { return }
      let goesOn = buffer.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      guard goesOn else { return }
    }
  }

  /// Writes all of `bytes` at the current position of `descriptor`; an error names `path`.
  package static func write(
    _ bytes: UnsafeRawBufferPointer,
    to descriptor: Int32,
    of path: String
  ) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      let count = DecantSystem.write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SystemError("write", path) }
      done += count
    }
  }

  /// Waits to let other threads and processes run.
  package static func pause(milliseconds: UInt32) { usleep(milliseconds * 1000) }

  /// Syncs the file at `path` to the disk.
  package static func sync(_ path: String) throws(SystemError) {
    let descriptor = HeldFiles.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError("open", path) }
    defer { HeldFiles.close(descriptor) }
    guard fsync(descriptor) == 0 else { throw SystemError("sync", path) }
  }

  /// Syncs the file at `path` to the disk in pieces; a request to stop ends it between two of them.
  ///
  /// A later sync of the file has nothing left to wait for. `fsync` alone cannot be stopped, and takes as long as the
  /// disk needs for the whole file.
  ///
  /// - Throws: `SystemError`, with code `stopped` if a stop was requested; the file is complete, but may not be durable.
  package static func syncInPieces(_ path: String) throws(SystemError) {
    let descriptor = HeldFiles.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError("open", path) }
    defer { HeldFiles.close(descriptor) }
    let count = FileStatus(descriptor: descriptor)?.byteCount ?? 0
    let piece: Int64 = 4 << 20
    for offset in stride(from: 0, to: count, by: Int64.Stride(piece)) {
      guard Cancellation.current?.isCancelled != true else {
        throw SystemError("sync", path, code: SystemError.stopped)
      }
      guard decant_write_back(descriptor, offset, piece) == 0 else {
        // Not every system and file system can do this; a failing disk is an error that is reported only once.
        guard ![EIO, ENOSPC, EDQUOT].contains(errno) else { throw SystemError("sync", path) }
        break
      }
    }
    guard fsync(descriptor) == 0 else { throw SystemError("sync", path) }
  }

  /// Syncs the entries of the folder at `path` to the disk.
  ///
  /// A folder without read permission cannot be synced, nor can folders on some file systems; neither is an error.
  package static func syncFolder(_ path: String) throws(SystemError) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else {
      let error = SystemError("open", path)
      guard error.isDenied else { throw error }
      return
    }
    defer { close(descriptor) }
    guard fsync(descriptor) != 0, errno != EINVAL, errno != ENOTSUP else { return }
    throw SystemError("sync", path)
  }

  /// Renames the file at `path` to `place`, unless that name is taken.
  ///
  /// One step: at any moment either the old name or the new name leads to the complete file.
  package static func publish(_ path: String, at place: String) throws(SystemError) {
    if renameat2(AT_FDCWD, path, AT_FDCWD, place, UInt32(decant_rename_noreplace)) == 0 { return }
    guard errno == EINVAL || errno == ENOSYS else { throw SystemError("publish", place) }
    // Without that call: a second name first, which fails if the place is taken.
    guard link(path, place) == 0 else { throw SystemError("publish", place) }
    do throws(SystemError) {
      // The old name is removed only once the new one is durable: otherwise a crash might lose both.
      try syncFolder(folder(of: place))
      try remove(path)
    } catch {
      // Restores the place; if that fails too, the file has two names.
      try? remove(place)
      throw error
    }
  }

  /// Renames the file at `path` to `place` as `publish` does, on the same disk, and syncs the folder.
  ///
  /// - Throws: `SystemError`; the file has its old name again, if that could be restored.
  package static func publishDurably(_ path: String, at place: String) throws(SystemError) {
    try publish(path, at: place)
    do throws(SystemError) {
      try syncFolder(folder(of: place))
    } catch {
      // An error must not leave a result that looks like success.
      try publish(place, at: path)
      throw error
    }
  }

  /// Returns the target of `path`: the path itself, unless it is a symbolic link.
  package static func target(of path: String) -> String {
    FileStatus(unfollowed: path)?.isLink == true ? resolved(path) : path
  }

  /// Removes the folder at `path` if it is empty.
  package static func removeFolderIfEmpty(_ path: String) { _ = rmdir(path) }

  /// Renames the file at `path` to `place`, replacing the file there; one step on every file system.
  package static func replace(_ place: String, with path: String) throws(SystemError) {
    guard rename(path, place) == 0 else { throw SystemError("rename", path) }
  }

  /// Returns how many bytes this user may still write beside `path`; `nil` if unknown.
  package static func freeByteCount(beside path: String) -> Int64? {
    var status = statvfs()
    guard statvfs(folder(of: path), &status) == 0 else { return nil }
    let (bytes, overflow) = Int64(clamping: status.f_bavail)
      .multipliedReportingOverflow(by: Int64(clamping: status.f_frsize))
    return overflow ? Int64.max : bytes
  }

  /// The value of `bootID` if the system does not provide one.
  package static let unknownBoot = "unknown"

  /// The random ID of the current boot, which distinguishes one run of the system from another.
  package static var bootID: String {
    guard let file = fopen("/proc/sys/kernel/random/boot_id", "r") else { return unknownBoot }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 64)
    guard fgets(&line, 64, file) != nil else { return unknownBoot }
    return String(decoding: line.prefix(36).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
