public import Foundation

extension URL {
  /// The place as decant reads it, `[kind:]place`: for whatever takes one as text.
  ///
  /// The fragment of a model's URL is its version: `App.momd#2` is `App.momd` with the fragment `2`. What is no file is
  /// handed on as it is: `sqlite:/var/notes.db` names a kind of store, and a kind that decant does not know is an error
  /// when the store is opened.
  public var decantPlace: String {
    let path = isFileURL ? path(percentEncoded: false) : absoluteString
    // A folder's URL ends in a slash, a store's name does not.
    let place = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    guard isFileURL, let version = fragment(percentEncoded: false) else { return place }
    return "\(place)#\(version)"
  }
}
