internal import CDecantBuild
internal import DecantBase
internal import DecantSQLite

extension Version {
  /// What `decant --version` prints: the version, the commit, and the library that reads the databases.
  static var text: String {
    "decant \(number) (\(String(cString: decant_commit())), SQLite \(Connection.libraryVersion))"
  }
}
