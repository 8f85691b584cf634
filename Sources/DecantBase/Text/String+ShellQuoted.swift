extension String {
  /// The text as one word of a command line, in single quotes.
  package var shellQuoted: String {
    "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }

  /// The text as one word of a command line, quoted only if a shell would otherwise split or expand it.
  package var shellWord: String {
    let isPlain = utf8.allSatisfy { byte in
      (48...57).contains(byte) || (64...90).contains(byte) || (97...122).contains(byte)
        || "_-+,./:%".utf8.contains(byte) || byte >= 128
    }
    return isPlain && !isEmpty ? self : shellQuoted
  }
}
