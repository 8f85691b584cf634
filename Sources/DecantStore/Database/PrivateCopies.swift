internal import DecantBase
internal import Synchronization

/// Which files of this process are private copies, and of what.
///
/// A copy that is resumed reads another private copy than before: it is the same source if the original is.
enum PrivateCopies {
  fileprivate struct File: Hashable {
    let number: UInt64
    let device: UInt64
  }

  private static let origins = Mutex<[File: String]>([:])

  /// Notes that the file at `copy` was taken of a database whose files were `origin`.
  static func note(_ copy: String, of origin: [FileStatus?]) {
    guard let status = FileStatus(copy) else { return }
    let parts = origin.map { status in
      status.map { "\($0.number)-\($0.byteCount)-\($0.changed)" } ?? "-"
    }
    origins.withLock { $0[File(status)] = parts.joined(separator: "+") }
  }

  /// Forgets the file at `copy`, which is about to go.
  static func forget(_ copy: String) {
    guard let status = FileStatus(copy) else { return }
    _ = origins.withLock { $0.removeValue(forKey: File(status)) }
  }

  /// What the file was taken of; `nil` for a file that is no private copy.
  static func origin(of status: FileStatus) -> String? {
    origins.withLock { $0[File(status)] }
  }
}

extension PrivateCopies.File {
  fileprivate init(_ status: FileStatus) { self.init(number: status.number, device: status.device) }
}
