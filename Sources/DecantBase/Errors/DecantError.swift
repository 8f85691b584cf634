/// Why decant could not do what it was asked to: what went wrong, where, and how it may be mended.
///
/// An app switches on ``code``, or on its ``family`` alone, and on ``remedies``; the texts are for people.
/// No password in an address that was named is repeated in it.
public struct DecantError: Error, Sendable {
  public var code: Code
  /// What the code means broadly, and for the exit code.
  public var family: Family { code.family }
  /// What went wrong, in one sentence without a full stop.
  public var message: String { didSet { message = message.withoutPasswords } }
  /// Where: the entity, attribute, batch or file that the failure concerns.
  public var place: String? { didSet { place = place?.withoutPasswords } }
  /// What the user can do about it.
  public var remedy: String? { didSet { remedy = remedy?.withoutPasswords } }
  /// What can be done about it, as values; the best first, and none where nothing is known to help.
  public var remedies: [Remedy]
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
  ///   - remedies: The same as values; `nil` for what helps with any failure of this code.
  ///   - cause: The error of the layer below; the contexts of a `DecantError` are taken over.
  public init(
    _ code: Code,
    _ message: String,
    place: String? = nil,
    remedy: String? = nil,
    remedies: [Remedy]? = nil,
    cause: (any Error)? = nil
  ) {
    self.code = code
    self.message = message.withoutPasswords
    self.place = place?.withoutPasswords
    self.remedy = remedy?.withoutPasswords
    self.remedies = remedies ?? code.usualRemedies
    self.contexts = (cause as? DecantError)?.contexts ?? []
    self.cause = cause
  }
}

extension DecantError {
  /// Adds `words` to what is told of the place.
  package mutating func tell(_ words: String) {
    place = [place, words].compactMap(\.self).joined(separator: "; ")
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
  public var description: String {
    [message, place, remedy].compactMap(\.self).joined(separator: "\n  ")
  }
}
