import Foundation

/// What the preloaded library told of a run, call by call: what was written, synced, renamed, made and removed.
public struct FaultTrace {
  /// A call that went well.
  public struct Call: Sendable, Hashable {
    public enum Kind: String, Sendable {
      case write, truncate, sync, rename, exchange, link, make, remove
    }

    public let kind: Kind
    /// The number of the file, which stays with it whatever it is called.
    public let file: String
    public let path: String
    /// The other name of a rename, an exchange or a link.
    public let other: String
  }

  public let calls: [Call]

  /// Reads what a run left at `path`, if anything.
  public init(_ path: String) {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    calls = text.split(separator: "\n").compactMap { line in
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 4, let kind = Call.Kind(rawValue: parts[0]) else { return nil }
      return Call(kind: kind, file: parts[1], path: parts[2], other: parts[3])
    }
  }
}
