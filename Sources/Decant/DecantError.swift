/// Why decant could not do what it was asked to: what went wrong, where, and how it may be mended.
///
/// No password in an address that was named is repeated in it.
public struct DecantError: Error, Sendable {
  /// What kind of failure it is, broadly; each has one exit code.
  public struct Family: Hashable, Sendable {
    public let name: String

    private init(_ name: String) { self.name = name }

    /// The work could not be finished: a full disk, a refused resume, a constraint of the destination.
    public static let failed = Family("failed")
    /// Nothing is at the place that was named.
    public static let storeNotFound = Family("storeNotFound")
    /// Another process holds the store.
    public static let storeBusy = Family("storeBusy")
    /// The two models do not fit, or the model cannot be had.
    public static let modelMismatch = Family("modelMismatch")
    /// The file is damaged, is no store at all, or means harm.
    public static let corruptStore = Family("corruptStore")
    /// The request itself makes no sense.
    public static let usage = Family("usage")
    /// The work was stopped on request; what is done so far is kept where it can be resumed.
    public static let interrupted = Family("interrupted")
  }

  /// The kind of failure, of one family each.
  public struct Code: Hashable, Sendable {
    public let name: String
    public let family: Family

    init(_ name: String, _ family: Family) { (self.name, self.family) = (name, family) }

    public static let failed = Code("failed", .failed)
    public static let storeNotFound = Code("storeNotFound", .storeNotFound)
    public static let storeBusy = Code("storeBusy", .storeBusy)
    public static let modelMismatch = Code("modelMismatch", .modelMismatch)
    public static let corruptStore = Code("corruptStore", .corruptStore)
    public static let usage = Code("usage", .usage)
    public static let interrupted = Code("interrupted", .interrupted)
  }

  public var code: Code
  /// What the code means broadly, and for the exit code.
  public var family: Family { code.family }
  /// What went wrong, in one sentence without a full stop.
  public var message: String { didSet { message = message.withoutPasswords } }
  /// Where: the entity, attribute, batch or file that the failure concerns.
  public var place: String? { didSet { place = place?.withoutPasswords } }
  /// What the user can do about it.
  public var remedy: String? { didSet { remedy = remedy?.withoutPasswords } }
  /// The error of the layer below, if one caused this.
  public var cause: (any Error)?

  public init(
    _ code: Code,
    _ message: String,
    place: String? = nil,
    remedy: String? = nil,
    cause: (any Error)? = nil
  ) {
    self.code = code
    self.message = message.withoutPasswords
    self.place = place?.withoutPasswords
    self.remedy = remedy?.withoutPasswords
    self.cause = cause
  }
}

extension DecantError {
  /// Adds `words` to what is told of the place.
  package mutating func tell(_ words: String) {
    place = [place, words].compactMap(\.self).joined(separator: "; ")
  }
}

extension DecantError: CustomStringConvertible {
  /// The three lines a person reads: what, where, how to fix.
  public var description: String {
    [message, place, remedy].compactMap(\.self).joined(separator: "\n  ")
  }
}
