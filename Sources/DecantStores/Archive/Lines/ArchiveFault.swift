internal import Decant

/// What is wrong with a line of an archive; who knows the line's number makes an error of it.
struct ArchiveFault: Error, Sendable, Hashable {
  /// What is wrong, without the line and without values of the user's.
  var message: String
  /// How to mend it, where it is not the archive's writer that has to.
  var remedy: String?

  init(_ message: String, remedy: String? = nil) {
    self.message = message
    self.remedy = remedy
  }
}
