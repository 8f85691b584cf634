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
  /// The options that the words name as a help, as values.
  public var remedies: [DecantError.Remedy] { words.saidOptions }
  /// The message, with its options as values.
  package var what: DecantError.Text
  /// The remedy, with its options as values.
  package var advice: DecantError.Text?
  /// What stands between the two.
  private var joint: String

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

  private var words: DecantError.Text {
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

extension [ReportNote] {
  /// The words of each as a shell's user reads them.
  package var commandLine: [String] { map(\.commandLine) }
}
