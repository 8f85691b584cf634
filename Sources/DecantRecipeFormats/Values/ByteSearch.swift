internal import DecantSystem

extension String {
  /// Whether the text contains `words` before any NUL: faster than Swift's search for many texts.
  package func holds(_ words: String) -> Bool {
    withCString { text in words.withCString { strstr(text, $0) != nil } }
  }
}
