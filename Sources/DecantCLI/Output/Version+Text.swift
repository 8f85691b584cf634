internal import CDecantBuild
internal import DecantBase
internal import DecantSQLite

extension Version {
  /// The output of `decant --version`: the version, the commit, and the version of SQLite.
  static var text: String {
    "decant \(number) (\(String(cString: decant_commit())), SQLite \(Connection.libraryVersion))"
  }
}
