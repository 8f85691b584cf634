extension Unicode.Scalar {
  /// Whether a terminal takes it for an order, or turns the text around because of it.
  ///
  /// Joiners are none of these: words of many languages, and emoji, need them.
  package var isObeyed: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    case .format: self != "\u{200C}" && self != "\u{200D}"
    default: false
    }
  }
}
