internal import Dispatch
internal import Synchronization

/// A conflict of a merge that needs a decision; see ``WorkEvent/conflict(_:)``.
///
/// The merge waits for the decision, or until it is cancelled. Releasing a question leaves its conflict undecided.
public final class ConflictQuestion: Sendable {
  /// The conflict to decide.
  public let conflict: MergeConflict
  /// Why the last decision was invalid; `nil` if the question is asked for the first time.
  public let problem: String?
  private let answer: Answer

  /// The awaited answer, which outlives the question.
  private final class Answer: Sendable {
    private let decision = Mutex<MergeDecision?>(nil)
    private let isGiven = DispatchSemaphore(value: 0)

    /// Stores the first decision; later ones have no effect.
    func give(_ new: MergeDecision) {
      let isFirst = decision.withLock { decision in
        defer { decision = decision ?? new }
        return decision == nil
      }
      if isFirst { isGiven.signal() }
    }

    /// Waits for a decision; a request to stop is one.
    func wait(_ cancellation: Cancellation) -> MergeDecision {
      while isGiven.wait(timeout: .now() + .milliseconds(50)) == .timedOut {
        if cancellation.isCancelled { give(.stop) }
      }
      return decision.withLock { $0 } ?? .undecided
    }
  }

  private init(_ conflict: MergeConflict, _ problem: String?, _ answer: Answer) {
    (self.conflict, self.problem, self.answer) = (conflict, problem, answer)
  }

  deinit { answer.give(.undecided) }

  /// Decides the conflict; only the first decision counts.
  ///
  /// - Parameter decision: The decision. If it is invalid, the question is asked again with the reason.
  public func decide(_ decision: MergeDecision) { answer.give(decision) }

  /// Asks, and waits for the decision on this thread.
  ///
  /// - Parameters:
  ///   - conflict: The conflict.
  ///   - problem: Why the last decision was invalid.
  ///   - cancellation: Ends the wait.
  ///   - tell: Passes the question to the one who decides.
  /// - Returns: The decision.
  package static func ask(
    _ conflict: MergeConflict,
    _ problem: String?,
    _ cancellation: Cancellation,
    _ tell: (ConflictQuestion) -> Void
  ) -> MergeDecision {
    let answer = Answer()
    tell(ConflictQuestion(conflict, problem, answer))
    return answer.wait(cancellation)
  }
}
