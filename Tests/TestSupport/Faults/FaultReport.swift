import Foundation

/// What the preloaded library saw of a run.
public struct FaultReport {
  /// How many calls there were of each kind.
  public private(set) var counts: [Fault.Kind: Int] = [:]
  /// How many of them failed; `nil` where the program did not get to its end.
  public private(set) var failureCount: Int?
  /// The first call that failed.
  public private(set) var call = ""

  /// Reads what a run left at `path`, if anything.
  public init(_ path: String) {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return }
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { continue }
      if let kind = Fault.Kind(rawValue: parts[0]) { counts[kind] = Int(parts[1]) }
      if parts[0] == "failed" { failureCount = Int(parts[1]) }
      if parts[0] == "call" { call = parts[1] }
    }
  }
}
