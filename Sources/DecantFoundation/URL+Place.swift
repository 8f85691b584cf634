public import Foundation

extension URL {
  /// The place as decant reads it, `[kind:]place`, for parameters that take a place as text.
  ///
  /// The fragment of a model's URL is its version: `App.momd#2` is `App.momd` with the fragment `2`. A URL that is not
  /// a file URL is passed on unchanged: `sqlite:/var/notes.db` names a kind of store, and an unknown kind is an error
  /// when the store is opened.
  public var decantPlace: String {
    let path = isFileURL ? path(percentEncoded: false) : absoluteString
    // The URL of a folder ends in a slash, the name of a store does not.
    let place = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    guard isFileURL, let version = fragment(percentEncoded: false) else { return place }
    return "\(place)#\(version)"
  }
}
