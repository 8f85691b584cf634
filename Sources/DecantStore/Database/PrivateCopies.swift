internal import DecantBase
internal import Synchronization

/// The private copies of this process, and their origins.
///
/// A resumed copy reads another private copy: it is the same source if the original is unchanged.
enum PrivateCopies {
  fileprivate struct File: Hashable {
    let number: UInt64
    let device: UInt64
  }

  private static let origins = Mutex<[File: String]>([:])

  /// Records that the file at `copy` is a copy of a database in the state `origin`.
  static func note(_ copy: String, of origin: [FileStatus?]) {
    guard let status = FileStatus(copy) else { return }
    let parts = origin.map { status in
      status.map { "\($0.number)-\($0.byteCount)-\($0.changed)" } ?? "-"
    }
    origins.withLock { $0[File(status)] = parts.joined(separator: "+") }
  }

  /// Removes the record of the file at `copy`, which is about to be deleted.
  static func forget(_ copy: String) {
    guard let status = FileStatus(copy) else { return }
    _ = origins.withLock { $0.removeValue(forKey: File(status)) }
  }

  /// Returns the origin of the file; `nil` for a file that is not a private copy.
  static func origin(of status: FileStatus) -> String? {
    origins.withLock { $0[File(status)] }
  }
}

extension PrivateCopies.File {
  fileprivate init(_ status: FileStatus) { self.init(number: status.number, device: status.device) }
}
