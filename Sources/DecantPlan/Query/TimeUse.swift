internal import Synchronization

/// Whether the conditions and expressions of an operation call functions of dates and times, which may ask for the
/// current one: then the same options may mean something else tomorrow.
package final class TimeUse: Sendable {
  /// The one of the current operation; `nil` if nobody wants to know.
  @TaskLocal package static var current: TimeUse?

  private let flag = Atomic<Bool>(false)

  package init() {}

  /// Whether such a function was called.
  package var isFound: Bool { flag.load(ordering: .relaxed) }

  /// Notes the call of `function`, in small letters.
  func note(_ function: String) {
    if SafeFunctions.time.contains(function) { flag.store(true, ordering: .relaxed) }
  }
}
