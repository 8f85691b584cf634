internal import DecantBase
internal import DecantStore
internal import DecantTransfer
internal import DecantSystem

/// The folder in which SQLite sorts, and stores what exceeds the caches.
enum TemporaryFiles {
  /// Sets it to the folder of the store `name`, since the usual temporary folder may be in memory.
  static func put(beside name: String) {
    // The user's own setting takes precedence.
    setenv("SQLITE_TMPDIR", Files.folder(of: StoreKinds.location(name).place), 0)
  }
}
