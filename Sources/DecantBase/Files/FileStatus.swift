internal import DecantSystem

/// What lies at a place: a file or a folder, how large, and which one.
package struct FileStatus: Hashable, Sendable {
  package let isFile: Bool
  package let isFolder: Bool
  /// Whether it is a link that was not followed.
  package let isLink: Bool
  package let byteCount: Int64
  /// Who may read and write it, as `chmod` counts.
  package let permissions: UInt32
  /// The file's own number, which stays with it when it is renamed.
  package let number: UInt64
  /// Whose it is.
  let owner: Owner
  /// The disk it is on.
  package let device: UInt64
  /// How many names lead to it.
  package let linkCount: UInt64
  /// When it was last written, in nanoseconds.
  package let changed: Int64

  /// Looks at `path`, following links; `nil` if nothing is there or nothing may be seen.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Looks at `path` itself: a link is neither file nor folder.
  package init?(unfollowed path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Looks at `path`; `nil` only if nothing is there.
  ///
  /// - Parameters:
  ///   - path: The place.
  ///   - followsLinks: Whether it is the file that counts to which a link there leads.
  /// - Returns: What is there.
  /// - Throws: `SystemError` where something may be there that cannot be looked at.
  package static func look(at path: String, followsLinks: Bool = false) throws(SystemError) -> FileStatus? {
    var status = stat()
    if (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 {
      return FileStatus(status)
    }
    let error = SystemError("access", path)
    guard error.isMissing else { throw error }
    return nil
  }

  /// Looks at an open file.
  package init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    isFile = status.st_mode & S_IFMT == S_IFREG
    isFolder = status.st_mode & S_IFMT == S_IFDIR
    isLink = status.st_mode & S_IFMT == S_IFLNK
    byteCount = Int64(status.st_size)
    permissions = UInt32(status.st_mode & 0o777)
    owner = Owner(user: status.st_uid, group: status.st_gid)
    number = UInt64(status.st_ino)
    device = UInt64(status.st_dev)
    linkCount = UInt64(status.st_nlink)
    changed = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
  }
}

extension FileStatus {
  /// The user and the group that a file belongs to, by their numbers.
  struct Owner: Hashable, Sendable {
    let user: UInt32
    let group: UInt32
  }

  /// When it was last written, as decant keeps dates: in seconds since 2001.
  package var writtenDate: Double { Double(changed / 1_000_000_000 - 978_307_200) }

  /// Whether `path` leads to this very file, by whatever name.
  package func isSame(as path: String) -> Bool {
    FileStatus(path).map { $0.number == number && $0.device == device } ?? false
  }
}
