internal import DecantBase
internal import DecantStore
internal import DecantTransfer
internal import DecantSystem

/// Where SQLite puts what it sorts and spills.
enum TemporaryFiles {
  /// Has them lie beside the store `name`: the usual temporary folder may be memory.
  static func put(beside name: String) {
    // What the user has set stands.
    setenv("SQLITE_TMPDIR", Files.folder(of: StoreKinds.location(name).place), 0)
  }
}
