internal import DecantSystem

extension String {
  /// Whether `words` stand in the text, in front of any NUL: for many texts, in which Swift's search is slow.
  package func holds(_ words: String) -> Bool {
    withCString { text in words.withCString { strstr(text, $0) != nil } }
  }
}
