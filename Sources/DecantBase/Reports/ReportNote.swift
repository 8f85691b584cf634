/// Something that the reader of a report should know, and what can be done about it.
///
/// An app switches on ``kind`` and offers the ``remedies``; the words are for people, and name no option of a command line.
public struct ReportNote: Hashable, Sendable {
  /// What the note is about.
  public var kind: Kind
  /// What there is to know, in one sentence without a full stop.
  public var message: String { what.description }
  /// What the reader can do about it, in words; `nil` where nothing has to be done.
  public var remedy: String? { advice?.description }
  /// What can be done about it, as values; none where nothing has to be done.
  public var remedies: [DecantError.Remedy] {
    words.saidOptions.reduce(into: ownRemedies) { all, remedy in
      if !all.contains(remedy) { all.append(remedy) }
    }
  }
  /// The message, with its options as values.
  package var what: DecantError.Text
  /// The remedy, with its options as values.
  package var advice: DecantError.Text?
  /// What stands between the two.
  private var joint: String
  /// Those that do not follow from the words.
  private var ownRemedies: [DecantError.Remedy] = []

  /// Describes a note.
  ///
  /// - Parameters:
  ///   - kind: What it is about.
  ///   - message: What there is to know, in one sentence without a full stop.
  ///   - remedy: What the reader can do about it, in words.
  ///   - joint: What stands between the two.
  package init(_ kind: Kind, _ message: DecantError.Text, remedy: DecantError.Text? = nil, after joint: String = "; ") {
    (self.kind, what, advice, self.joint) = (kind, message, remedy, joint)
  }

  /// Describes a note in words that name no option.
  ///
  /// - Parameters:
  ///   - kind: What it is about.
  ///   - message: What there is to know, in one sentence without a full stop.
  ///   - remedy: What the reader can do about it, in words.
  ///   - remedies: The same as values.
  public init(_ kind: Kind, _ message: String, remedy: String? = nil, remedies: [DecantError.Remedy] = []) {
    self.init(kind, DecantError.Text(message), remedy: remedy.map { DecantError.Text($0) })
    ownRemedies = remedies
  }

  /// Message and remedy.
  package var words: DecantError.Text {
    guard let advice else { return what }
    return what + "\(joint)" + advice
  }

  /// The same of the store at `place`, where the report is about others.
  package func of(_ place: String) -> ReportNote {
    var note = self
    note.what = "“\(place)”: " + what
    return note
  }

  /// The words as a shell's user reads them: `--merge skip`.
  package var commandLine: String { words.commandLine }
}

extension ReportNote: CustomStringConvertible {
  /// Message and remedy, as an app may show them.
  public var description: String { words.description }
}

extension ReportNote: Encodable {
  /// Encodes `kind`, `message`, `remedy` and `remedies`; the documents of verbs have the words as a shell's user reads them.
  public func encode(to encoder: any Encoder) throws {
    try DocumentMembers([("kind", kind.name), ("message", message), ("remedy", remedy), ("remedies", remedies)])
      .encode(to: encoder)
  }
}

extension [ReportNote] {
  /// The words of each as a shell's user reads them.
  package var commandLine: [String] { map(\.commandLine) }
}
