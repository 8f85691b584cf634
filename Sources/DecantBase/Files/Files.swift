internal import CDecantLinux
internal import CDecantXXHash
internal import DecantSystem

/// The few things decant does to files beside what SQLite does.
package enum Files {
  /// The path without links and dots; `nil` where nothing is there.
  package static func realPath(of path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Whether `path` may be read by this process.
  package static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }

  /// Whether `path`, a file or a folder, may be written by this process.
  package static func isWritable(_ path: String) -> Bool { access(path, W_OK) == 0 }

  /// Returns the first bytes of the file at `path`, at most `count`; none where it cannot be read.
  package static func start(of path: String, count: Int) -> [UInt8] {
    let file = HeldFiles.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return [] }
    defer { HeldFiles.close(file) }
    var buffer = [UInt8](repeating: 0, count: count)
    let read = read(file, &buffer, count)
    return Array(buffer.prefix(max(read, 0)))
  }

  /// Returns the folder in which `path` lies.
  package static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Returns the last part of `path`.
  package static func name(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  /// Whether two paths name the same place, whether or not something is there.
  package static func isSamePlace(_ one: String, _ other: String) -> Bool {
    if let file = FileStatus(one) { return file.isSame(as: other) }
    return name(of: one) == name(of: other)
      && FileStatus(folder(of: one))?.isSame(as: folder(of: other)) == true
  }

  /// Returns `path` with every link on the way followed, or as it is where nothing is there.
  package static func resolved(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Removes the file at `path`; one that is not there is no error.
  package static func remove(_ path: String) throws(SystemError) {
    guard unlink(path) == 0 || errno == ENOENT else { throw SystemError("remove", path) }
  }

  /// Removes a folder of our own and all that is in it; links are removed, not followed.
  package static func removeTree(_ path: String) throws(SystemError) {
    try removeContent(of: path)
    guard rmdir(path) == 0 else { throw SystemError("remove", path) }
  }

  /// Removes all that is in a folder of our own; links are removed, not followed.
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

  /// Returns the names of what is in the folder at `path`.
  package static func names(in path: String) throws(SystemError) -> [String] {
    var names: [String] = []
    try forEachName(in: path) { names.append($0) }
    return names
  }

  /// Lends the name of everything that is in the folder at `path` to `body`, one after the other.
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

  /// The permissions that a new file asks for; the user's mask leaves what it gets.
  package static let newFileMode: UInt32 = 0o666

  /// Makes an empty file, which must not be there yet.
  package static func makeEmpty(_ path: String, mode: UInt32 = newFileMode) throws(SystemError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw SystemError("write", path) }
    close(descriptor)
  }

  /// Makes a folder that only this user can look into; one that is there stays as it is.
  ///
  /// What is in it outlasts the machine as soon as it is synced itself.
  package static func makePrivateFolder(_ path: String) throws(SystemError) {
    if mkdir(path, 0o700) == 0 { return try syncFolder(folder(of: path)) }
    guard errno == EEXIST else { throw SystemError("make", path) }
  }

  /// Makes a folder and those above it, where they are not there yet.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - isSynced: Whether the names of those that are made are on the disk when this returns.
  /// - Throws: `SystemError`; what was made so far stays.
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

  /// Copies a file, without taking room where the file system can; a link is not followed.
  ///
  /// - Parameters:
  ///   - path: The file to read.
  ///   - copy: The file to make, or to write anew.
  ///   - mode: The permissions of a file that is made, before the user's mask; unless told otherwise for this user only.
  ///   - isSynced: Whether the copy is on the disk when this returns.
  ///   - goesOn: Called after each piece of at most 1 MiB, with the bytes written so far; returns whether to continue.
  /// - Throws: `SystemError`, of code `stopped` where it was not to go on; what was written so far stays.
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

  /// Returns a hash of the content of a file, read piece by piece.
  package static func hash(of path: String) throws(SystemError) -> String {
    guard let state = XXH3_createState() else { throw SystemError("read", path, code: ENOMEM) }
    defer { XXH3_freeState(state) }
    XXH3_128bits_reset(state)
    try forEachPiece(of: path) { piece in
      XXH3_128bits_update(state, piece.baseAddress, piece.count)
      return true
    }
    let hash = XXH3_128bits_digest(state)
    return String(hash.high64, radix: 16) + "-" + String(hash.low64, radix: 16)
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

  /// Lends the content of a file to `body`, a piece of at most 1 MiB at a time, until that returns
  /// false; a link is not followed.
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

  /// Writes all of `bytes` where `descriptor` stands; `path` is what a failure names.
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

  /// Lets others go on for a while.
  package static func pause(milliseconds: UInt32) { usleep(milliseconds * 1000) }

  /// Has the system write what it holds of the file at `path` to the disk.
  package static func sync(_ path: String) throws(SystemError) {
    let descriptor = HeldFiles.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError("open", path) }
    defer { HeldFiles.close(descriptor) }
    guard fsync(descriptor) == 0 else { throw SystemError("sync", path) }
  }

  /// Has the system write the names in the folder at `path` to the disk.
  ///
  /// A folder that may not be read cannot be synced, nor can any on some file systems: there nothing
  /// more can be done, and nothing is wrong.
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

  /// Gives the file at `path` the name `place`, unless something has that name already.
  ///
  /// One step: at any moment either the old name or the new one leads to the whole file.
  package static func publish(_ path: String, at place: String) throws(SystemError) {
    if renameat2(AT_FDCWD, path, AT_FDCWD, place, UInt32(decant_rename_noreplace)) == 0 { return }
    guard errno == EINVAL || errno == ENOSYS else { throw SystemError("publish", place) }
    // A file system without that call: a second name first, which fails if the place is taken.
    guard link(path, place) == 0 else { throw SystemError("publish", place) }
    do throws(SystemError) {
      // The old name goes only when the new one outlasts the machine: else the file might lose both.
      try syncFolder(folder(of: place))
      try remove(path)
    } catch {
      // What failed leaves the place as it was; if not even that is possible, one file has two names.
      try? remove(place)
      throw error
    }
  }

  /// Gives the file at `path` the name `place` as `publish` does, on the same disk and so that it outlasts the machine.
  ///
  /// - Throws: `SystemError`; the file has its old name, where that could be given back.
  package static func publishDurably(_ path: String, at place: String) throws(SystemError) {
    try publish(path, at: place)
    do throws(SystemError) {
      try syncFolder(folder(of: place))
    } catch {
      // An error must not leave behind what looks like success.
      try publish(place, at: path)
      throw error
    }
  }

  /// The file to which the name `path` leads: itself, unless that is a symbolic link.
  package static func target(of path: String) -> String {
    FileStatus(unfollowed: path)?.isLink == true ? resolved(path) : path
  }

  /// Removes the folder at `path` if nothing is in it.
  package static func removeFolderIfEmpty(_ path: String) { _ = rmdir(path) }

  /// Gives the file at `path` the name `place`, in the stead of what has it; one step on every file system.
  package static func replace(_ place: String, with path: String) throws(SystemError) {
    guard rename(path, place) == 0 else { throw SystemError("rename", path) }
  }

  /// Returns how many bytes this user may still write beside `path`, or `nil` if nobody can tell.
  package static func freeByteCount(beside path: String) -> Int64? {
    var status = statvfs()
    guard statvfs(folder(of: path), &status) == 0 else { return nil }
    let (bytes, overflow) = Int64(clamping: status.f_bavail)
      .multipliedReportingOverflow(by: Int64(clamping: status.f_frsize))
    return overflow ? Int64.max : bytes
  }

  /// What `bootID` is where the system does not tell.
  package static let unknownBoot = "unknown"

  /// Returns the number the system drew when it started, so that one run can be told from another.
  package static var bootID: String {
    guard let file = fopen("/proc/sys/kernel/random/boot_id", "r") else { return unknownBoot }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 64)
    guard fgets(&line, 64, file) != nil else { return unknownBoot }
    return String(decoding: line.prefix(36).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
