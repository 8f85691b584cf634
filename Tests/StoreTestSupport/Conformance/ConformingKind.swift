package import Decant
internal import Foundation
internal import TestSupport
package import Testing

/// What the conformance suite has to know of a kind of store.
///
/// A new kind of store is one more of these, and one line in `StoreConformance.kinds`.
package protocol ConformingKind: Sendable, CustomTestStringConvertible {
  /// The kind's name, as the command line spells it.
  var name: String { get }

  /// Makes a store of the conformance model at `path`, with the labels 1 to 3 and nothing else.
  ///
  /// Written without decant.
  func makeStore(at path: String) throws

  /// Adds `things`; written without decant.
  func write(_ things: [Thing], to path: String) throws

  /// Reads all things with keys above `key`, and the labels above `label`; read without decant.
  func things(in path: String, above key: Int, labelsAbove label: Int) throws -> FoundThings

  /// Has the store refuse a second thing whose `string` is `text`.
  func forbidTwice(_ text: String, in path: String) throws

  /// Sets what a copy of such stores needs to be told.
  func configure(_ options: inout CopyOptions, _ folder: String)

  /// Removes the store.
  func remove(_ path: String) throws

  /// What the store is, whole.
  func state(of path: String) throws -> String

  /// What is wrong with its structure; `nil` where nothing is.
  func problem(of path: String) throws -> String?
}

/// Stores that are SQLite files.
extension ConformingKind {
  package func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: path) }

  package func state(of path: String) throws -> String {
    try Data(contentsOf: URL(fileURLWithPath: path)).base64EncodedString()
  }

  package func problem(of path: String) throws -> String? {
    let found = try Program.sqlite3(path, "PRAGMA integrity_check")
    return found == "ok" ? nil : found
  }

  package var testDescription: String { name }
}
