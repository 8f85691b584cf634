extension String {
  /// The beginning of the text, with unprintable characters replaced: escapes in double quotes could contain any
  /// character.
  package var shortened: String {
    let limit = 60
    var text = ""
    for scalar in unicodeScalars.prefix(limit) {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: text.append("\u{FFFD}")
      default: text.unicodeScalars.append(scalar)
      }
    }
    return unicodeScalars.count > limit ? text + "…" : text
  }
}
