/// A note for the reader of a report, and its remedy.
///
/// An app switches on ``kind`` and offers the ``remedies``; the texts are for people, and name no command-line option.
public struct ReportNote: Hashable, Sendable {
  /// The kind of the note.
  public var kind: Kind
  /// The message, in one sentence without a full stop.
  public var message: String { what.description }
  /// What the reader can do, in words; `nil` if nothing needs to be done.
  public var remedy: String? { advice?.description }
  /// The remedies as values; empty if nothing needs to be done.
  public var remedies: [DecantError.Remedy] {
    words.saidOptions.reduce(into: ownRemedies) { all, remedy in
      if !all.contains(remedy) { all.append(remedy) }
    }
  }
  /// The message, with its options as values.
  package var what: DecantError.Text
  /// The remedy, with its options as values.
  package var advice: DecantError.Text?
  /// The text between message and remedy.
  private var joint: String
  /// The remedies that do not come from the texts.
  private var ownRemedies: [DecantError.Remedy] = []

  /// Describes a note.
  ///
  /// - Parameters:
  ///   - kind: The kind of the note.
  ///   - message: The message, in one sentence without a full stop.
  ///   - remedy: What the reader can do, in words.
  ///   - joint: The text between message and remedy.
  package init(_ kind: Kind, _ message: DecantError.Text, remedy: DecantError.Text? = nil, after joint: String = "; ") {
    (self.kind, what, advice, self.joint) = (kind, message, remedy, joint)
  }

  /// Describes a note with texts that name no option.
  ///
  /// - Parameters:
  ///   - kind: The kind of the note.
  ///   - message: The message, in one sentence without a full stop.
  ///   - remedy: What the reader can do, in words.
  ///   - remedies: The same as values.
  package init(_ kind: Kind, _ message: String, remedy: String? = nil, remedies: [DecantError.Remedy] = []) {
    self.init(kind, DecantError.Text(message), remedy: remedy.map { DecantError.Text($0) })
    ownRemedies = remedies
  }

  /// The message and the remedy.
  package var words: DecantError.Text {
    guard let advice else { return what }
    return what + "\(joint)" + advice
  }

  /// Returns the note with the name of the store at `place`, for a report about other stores.
  package func of(_ place: String) -> ReportNote {
    var note = self
    note.what = "“\(place)”: " + what
    return note
  }

  /// The texts for the user of a shell: `--merge skip`.
  package var commandLine: String { words.commandLine }
}

extension ReportNote: CustomStringConvertible {
  /// The message and the remedy, for an app.
  public var description: String { words.description }
}

extension ReportNote: Encodable {
  /// Encodes `kind`, `message`, `remedy` and `remedies`; documents of verbs have the texts for the user of a shell.
  public func encode(to encoder: any Encoder) throws {
    try DocumentMembers([("kind", kind.rawValue), ("message", message), ("remedy", remedy), ("remedies", remedies)])
      .encode(to: encoder)
  }
}

extension [ReportNote] {
  /// The texts of the notes for the user of a shell.
  package var commandLine: [String] { map(\.commandLine) }
}
