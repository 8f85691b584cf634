extension Unicode.Scalar {
  /// Whether a terminal interprets the character as a command or changes the text direction because of it.
  ///
  /// Joiners are not included, since words of many languages, and emoji, need them.
  package var isObeyed: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    case .format: self != "\u{200C}" && self != "\u{200D}"
    default: false
    }
  }
}
