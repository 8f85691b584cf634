internal import DecantSystem

/// A system call that failed: the operation, the file, and the reason.
package struct SystemError: Error, Hashable, CustomStringConvertible {
  package let operation: String
  package let path: String
  package let code: Int32

  /// Describes the failure of `operation` on `path`, by default with `errno`.
  package init(_ operation: String, _ path: String, code: Int32 = errno) {
    self.operation = operation
    self.path = path
    self.code = code
  }

  package var description: String {
    "cannot \(operation) “\(path)”: \(String(cString: strerror(code)))"
  }

  /// The code of a file that others are using.
  package static let busy = EBUSY
  /// The code of two places on different disks.
  package static let otherDisk = EXDEV
  /// The code of work that was stopped on request.
  package static let stopped = ECANCELED
  /// The code of a full disk.
  package static let full = ENOSPC
  /// The code of a failing disk.
  package static let inputOutput = EIO
  /// The remedy for a failing disk.
  static let remedyOfDisk: DecantError.Text =
    "the disk or its connection failed: check the kernel log (dmesg), then \(.again)"
  /// The code of a link where none may be followed.
  package static let link = ELOOP

  package var isExisting: Bool { code == EEXIST }
  package var isFull: Bool { code == ENOSPC || code == EDQUOT }
  package var isDenied: Bool { code == EACCES || code == EPERM || code == EROFS }
  package var isMissing: Bool { code == ENOENT || code == ENOTDIR }
}

/// Runs `body`; turns a failed system call into an error that names it.
package func explaining<Result>(_ body: () throws(SystemError) -> Result) throws(DecantError) -> Result {
  do throws(SystemError) {
    return try body()
  } catch {
    throw DecantError(error)
  }
}

extension DecantError {
  /// Creates the error that a failed system call means to the user.
  package init(_ error: SystemError) {
    guard error.code != SystemError.stopped else {
      self.init(.interrupted, "the operation was interrupted", cause: error)
      return
    }
    let (code, remedy): (Code, Text) =
      if error.isFull {
        (.diskFull, "the disk is full: free some space and \(.again)")
      } else if error.isDenied {
        (.accessDenied, "check the permissions of the file and of its folder")
      } else if error.isMissing {
        (.folderVanished, "check that the folder exists")
      } else if error.code == EMFILE || error.code == ENFILE {
        (.systemFailed, "too many files are open: close some programs, or raise the limit (ulimit -n)")
      } else if error.code == EIO {
        (.systemFailed, SystemError.remedyOfDisk)
      } else {
        (.systemFailed, "the system refused the operation; if the cause was temporary, \(.again)")
      }
    self.init(code, "\(error.description)", remedy: remedy, cause: error)
  }
}
