public import Decant

/// The texts of a note for apps: sentences, without command-line options.
extension ReportNote {
  /// The content of the note.
  public var noteDescription: String { message.asSentence }

  /// What can be done: the remedy; `nil` if nothing needs to be done.
  public var recoverySuggestion: String? { remedy?.asSentence }
}
