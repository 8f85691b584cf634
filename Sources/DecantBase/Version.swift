/// The version of decant.
package enum Version {
  /// The semantic version of the command line, its reports, the files it writes, and the library.
  package static let number = "0.2.0"
}
