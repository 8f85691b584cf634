import Foundation

/// How much is tried: a part of the long tables by default, all of them with `DECANT_SLOW=1`.
public enum Effort {
  /// Whether all is tried.
  public static let isThorough = ProcessInfo.processInfo.environment["DECANT_SLOW"] == "1"

  /// The elements of `all`, or by default the first and every `step`th behind it.
  public static func part<Element>(of all: [Element], each step: Int) -> [Element] {
    isThorough ? all : all.enumerated().filter { $0.offset % step == 0 }.map(\.element)
  }

  /// All pairs of the elements of two tables, or by default as few as contain each element.
  public static func pairs<One, Other>(_ ones: [One], _ others: [Other]) -> [(One, Other)] {
    guard !isThorough else { return ones.flatMap { one in others.map { (one, $0) } } }
    return (0..<max(ones.count, others.count)).map { (ones[$0 % ones.count], others[$0 % others.count]) }
  }
}
