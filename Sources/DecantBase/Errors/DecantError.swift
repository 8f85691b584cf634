/// Why decant could not do what it was asked to: what went wrong, where, and how it may be mended.
///
/// An app switches on ``code``, or on its ``family`` alone, and on ``remedies``; the texts are for people.
/// No password in an address that was named is repeated in it.
public struct DecantError: Error, Sendable {
  public var code: Code
  /// What the code means broadly, and for the exit code.
  public var family: Family { code.family }
  /// What went wrong, in one sentence without a full stop.
  public var message: String { what.description }
  /// Where: the entity, attribute, batch or file that the failure concerns.
  public var place: String? { spot?.description }
  /// What the user can do about it.
  public var remedy: String? { advice?.description }
  /// The message, with its options as values.
  package var what: Text
  /// The place, with its options as values.
  package var spot: Text?
  /// The remedy, with its options as values; what it says is to be said is among the remedies.
  package var advice: Text?
  /// What can be done about it, as values; the best first, and none where nothing is known to help.
  public var remedies: [Remedy] {
    get {
      (advice?.saidOptions ?? []).reduce(into: ownRemedies) { all, remedy in
        if !all.contains(remedy) { all.append(remedy) }
      }
    }
    set { ownRemedies = newValue }
  }
  /// Those that do not follow from the advice.
  private var ownRemedies: [Remedy]
  /// What decant was doing, such as `copy` and `cannot read the objects of Recipe`; the outermost first.
  public private(set) var contexts: [String]
  /// The error of the layer below, if one caused this.
  public var cause: (any Error)?

  /// Describes a failure.
  ///
  /// - Parameters:
  ///   - code: What kind of failure it is.
  ///   - message: What went wrong, in one sentence without a full stop.
  ///   - place: Where.
  ///   - remedy: What the user can do about it, in words.
  ///   - remedies: The same as values, without the options that `remedy` says; `nil` for what helps with any failure of this
  ///     code.
  ///   - cause: The error of the layer below; the contexts of a `DecantError` are taken over.
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

  /// Describes a failure in words that name no option.
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
  /// Adds `words` to what is told of the place.
  package mutating func tell(_ words: Text) {
    spot = [spot, words].compactMap(\.self).joined(separator: "; ")
  }

  /// Offers to resume the work instead of running it again.
  package mutating func canBeResumed() {
    remedies = remedies.filter { $0 != .runAgain } + [.resume]
  }

  /// Returns this error as one that came up during what `context` says.
  package func within(_ context: String) -> DecantError {
    var error = self
    error.contexts.insert(context.withoutPasswords, at: 0)
    return error
  }
}

/// Runs `body`; an error of it says that it came up during what `context` says.
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
  /// The three lines a person reads: what, where, how to fix.
  public var description: String { lines.description }

  /// The same three lines as a shell's user reads them.
  package var commandLine: String { lines.commandLine }

  private var lines: Text { [what, spot, advice].compactMap(\.self).joined(separator: "\n  ") }
}
