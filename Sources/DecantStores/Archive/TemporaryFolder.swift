internal import Decant

/// A folder for what is needed while something runs; it goes with the value.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws(DecantError) {
    path = try explaining { () throws(SystemError) in try Files.makeTemporaryFolder() }
  }

  deinit {
    // What cannot be removed is litter, not a lost object; nobody is left to tell.
    try? Files.removeTree(path)
  }
}
