import Foundation

/// How much is tried: a part of the long tables by default, all of them with `DECANT_SLOW=1`.
public enum Effort {
  /// Whether all is tried.
  public static let isThorough = ProcessInfo.processInfo.environment["DECANT_SLOW"] == "1"

  /// The elements of `all`, or by default the first and every `step`th behind it.
  public static func part<Element>(of all: [Element], each step: Int) -> [Element] {
    isThorough ? all : all.enumerated().filter { $0.offset % step == 0 }.map(\.element)
  }
}
