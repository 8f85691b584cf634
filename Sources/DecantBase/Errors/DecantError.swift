/// A failure of decant: what went wrong, where, and how to fix it.
///
/// An app switches on ``code``, or on its ``family`` alone, and on ``remedies``; the texts are for people. They never
/// repeat the password of an address that the user gave.
public struct DecantError: Error, Sendable {
  public var code: Code
  /// The broad kind of the failure, which decides the exit code.
  public var family: Family { code.family }
  /// What went wrong, in one sentence without a full stop.
  public var message: String { what.description }
  /// The entity, attribute, batch or file that failed.
  public var place: String? { spot?.description }
  /// What the user can do about it.
  public var remedy: String? { advice?.description }
  /// The message, with its options as values.
  package var what: Text
  /// The place, with its options as values.
  package var spot: Text?
  /// The remedy, with its options as values; the options it suggests are among the remedies.
  package var advice: Text?
  /// The remedies as values, the best first; empty if none is known.
  public var remedies: [Remedy] {
    get {
      (advice?.saidOptions ?? []).reduce(into: ownRemedies) { all, remedy in
        if !all.contains(remedy) { all.append(remedy) }
      }
    }
    set { ownRemedies = newValue }
  }
  /// The remedies that do not come from the advice.
  private var ownRemedies: [Remedy]
  /// The operations that failed, such as `copy` and `cannot read the objects of Recipe`; the outermost first.
  public private(set) var contexts: [String]
  /// The error of the layer below, if one caused this error.
  public var cause: (any Error)?

  /// Describes a failure.
  ///
  /// - Parameters:
  ///   - code: The kind of failure.
  ///   - message: What went wrong, in one sentence without a full stop.
  ///   - place: Where it went wrong.
  ///   - remedy: What the user can do about it, in words.
  ///   - remedies: The same as values, without the options that `remedy` suggests; `nil` for the usual remedies of
  ///     `code`.
  ///   - cause: The error of the layer below; the contexts of a `DecantError` are kept.
  package init(
    _ code: Code,
    _ message: Text,
    place: Text? = nil,
    remedy: Text? = nil,
    remedies: [Remedy]? = nil,
    cause: (any Error)? = nil
  ) {
    self.code = code
    (what, spot, advice) = (message, place, remedy)
    ownRemedies = remedies ?? code.usualRemedies
    self.contexts = (cause as? DecantError)?.contexts ?? []
    self.cause = cause
  }

  /// Describes a failure with texts that name no option.
  public init(
    _ code: Code,
    _ message: String,
    place: String? = nil,
    remedy: String? = nil,
    remedies: [Remedy]? = nil,
    cause: (any Error)? = nil
  ) {
    self.init(
      code,
      Text(message),
      place: place.map { "\($0)" },
      remedy: remedy.map { "\($0)" },
      remedies: remedies,
      cause: cause
    )
  }
}

extension DecantError {
  /// Appends `words` to the place.
  package mutating func tell(_ words: Text) {
    spot = [spot, words].compactMap(\.self).joined(separator: "; ")
  }

  /// Replaces the remedy of running again by that of resuming.
  package mutating func canBeResumed() {
    remedies = remedies.filter { $0 != .runAgain } + [.resume]
  }

  /// Returns this error with `context` added as the operation that failed.
  package func within(_ context: String) -> DecantError {
    var error = self
    error.contexts.insert(context.withoutPasswords, at: 0)
    return error
  }
}

/// Runs `body`; adds `context` to an error that it throws.
package func explaining<Result>(
  _ context: @autoclosure () -> String,
  _ body: () throws(DecantError) -> Result
) throws(DecantError) -> Result {
  do throws(DecantError) {
    return try body()
  } catch {
    throw error.within(context())
  }
}

extension DecantError: CustomStringConvertible {
  /// The three lines for people: what, where, how to fix it.
  public var description: String { lines.description }

  /// The same three lines for the user of a shell.
  package var commandLine: String { lines.commandLine }

  private var lines: Text { [what, spot, advice].compactMap(\.self).joined(separator: "\n  ") }
}
