extension String {
  /// The beginning of the text, with unprintable characters replaced: escapes in double quotes could contain any
  /// character.
  package var shortened: String {
    let limit = 60
    var text = ""
    for scalar in unicodeScalars.prefix(limit) { text.unicodeScalars.append(scalar.isObeyed ? "\u{FFFD}" : scalar) }
    return unicodeScalars.count > limit ? text + "…" : text
  }
}
