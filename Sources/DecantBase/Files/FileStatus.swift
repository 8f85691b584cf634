internal import DecantSystem

/// The status of a file or folder: kind, size and identity.
package struct FileStatus: Hashable, Sendable {
  package let isFile: Bool
  package let isFolder: Bool
  /// Whether it is a link that was not followed.
  package let isLink: Bool
  package let byteCount: Int64
  /// The permissions, as `chmod` writes them.
  package let permissions: UInt32
  /// The inode number, which a rename does not change.
  package let number: UInt64
  /// The owner and the group.
  let owner: Owner
  /// The device that contains it.
  package let device: UInt64
  /// The number of hard links to it.
  package let linkCount: UInt64
  /// The time of the last write, in nanoseconds.
  package let changed: Int64

  /// Reads the status of `path`, following links; `nil` if nothing exists there or access is denied.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Reads the status of `path` itself: a link is neither file nor folder.
  package init?(unfollowed path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Reads the status of `path`; `nil` only if nothing exists there.
  ///
  /// - Parameters:
  ///   - path: The place.
  ///   - followsLinks: Whether to follow a link to its target.
  /// - Returns: The status.
  /// - Throws: `SystemError` if something may exist there but cannot be accessed.
  package static func look(at path: String, followsLinks: Bool = false) throws(SystemError) -> FileStatus? {
    var status = stat()
    if (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 {
      return FileStatus(status)
    }
    let error = SystemError("access", path)
    guard error.isMissing else { throw error }
    return nil
  }

  /// Reads the status of an open file.
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
  /// The owner and the group of a file, as numbers.
  struct Owner: Hashable, Sendable {
    let user: UInt32
    let group: UInt32
  }

  /// The time of the last write in decant's form of dates: seconds since 2001.
  package var writtenDate: Double { Double(changed / 1_000_000_000 - 978_307_200) }

  /// Returns whether `path` leads to this same file, under any name.
  package func isSame(as path: String) -> Bool {
    FileStatus(path).map { $0.number == number && $0.device == device } ?? false
  }
}
