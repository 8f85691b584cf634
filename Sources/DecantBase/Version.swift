/// Which decant this is.
package enum Version {
  /// By semantic versioning: what counts are the command line, its reports, the files it writes, and the library.
  package static let number = "0.2.0"
}
