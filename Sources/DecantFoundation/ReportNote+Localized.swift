public import Decant

/// What an app shows of a note: sentences, without the options of the command line.
extension ReportNote {
  /// What there is to know.
  public var noteDescription: String { message.asSentence }

  /// What can be done about it: the remedy; `nil` where nothing has to be done.
  public var recoverySuggestion: String? { remedy?.asSentence }
}
