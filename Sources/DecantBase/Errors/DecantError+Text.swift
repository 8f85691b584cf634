extension DecantError {
  /// Words for people in which options stand as values: who shows them says how an option is written.
  package struct Text: Hashable, Sendable {
    fileprivate enum Part: Hashable, Sendable {
      case words(String)
      case option(Option, String?, isSaid: Bool)
    }

    fileprivate var parts: [Part]

    fileprivate init(parts: [Part]) { self.parts = parts }

    /// Takes words in which no option is named.
    package init(_ words: String) { parts = [.words(words.withoutPasswords)] }

    /// The words as a shell's user reads them: `--merge skip`.
    package var commandLine: String {
      joined { "--" + [$0.rawValue, $1?.shellWord].compactMap(\.self).joined(separator: " ") }
    }

    /// What can be done as the words say it.
    package var saidOptions: [Remedy] {
      parts.compactMap { part in
        guard case .option(let option, let value, true) = part else { return nil }
        return switch (option, value) {
        case (.resume, _): .resume
        case (.restart, _): .startOver
        case (.model, nil): .nameModel
        case (.mapping, nil): .giveMapping
        default: .setOption(option, value)
        }
      }
    }

    /// Whether `option` is named.
    package func names(_ option: Option) -> Bool {
      parts.contains { if case .option(option, _, _) = $0 { true } else { false } }
    }

    private func joined(_ write: (Option, String?) -> String) -> String {
      parts.map { part in
        switch part {
        case .words(let words): words
        case .option(let option, let value, _): write(option, value)
        }
      }.joined()
    }
  }
}

extension DecantError.Text: CustomStringConvertible {
  /// The words as an app may show them: `“merge skip”`.
  package var description: String {
    joined { "“\([$0.rawValue, $1].compactMap(\.self).joined(separator: " "))”" }
  }
}

extension DecantError.Text: ExpressibleByStringInterpolation {
  package init(stringLiteral words: String) { self.init(words) }

  package init(stringInterpolation: StringInterpolation) {
    self.init(parts: stringInterpolation.parts)
  }

  /// Collects words and options.
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var parts: [Part] = []

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ words: String) { append(words) }

    package mutating func appendInterpolation(_ value: some Any) { append("\(value)") }

    package mutating func appendInterpolation(_ text: DecantError.Text) { parts += text.parts }

    /// Names an option, with what is or was said with it.
    package mutating func appendInterpolation(option: DecantError.Option, _ value: String? = nil) {
      parts.append(.option(option, value?.withoutPasswords, isSaid: false))
    }

    /// Names an option that would help if it were said, with its value where that is known.
    package mutating func appendInterpolation(say option: DecantError.Option, _ value: String? = nil) {
      parts.append(.option(option, value?.withoutPasswords, isSaid: true))
    }

    private mutating func append(_ words: String) {
      guard case .words(let before) = parts.last else {
        return parts.append(.words(words.withoutPasswords))
      }
      parts[parts.count - 1] = .words((before + words).withoutPasswords)
    }
  }
}

extension DecantError.Text {
  package static func + (a: Self, b: Self) -> Self { Self(parts: a.parts + b.parts) }

  package static func += (a: inout Self, b: Self) { a = a + b }
}

extension [DecantError.Text] {
  /// One text of all, with `separator` between them.
  package func joined(separator: DecantError.Text = "") -> DecantError.Text {
    guard var text = first else { return "" }
    for next in dropFirst() { text += separator + next }
    return text
  }
}

extension DecantError.Text {
  /// The text with other words in place of some, wherever no option stands in between.
  package func replacing(_ words: String, with others: String) -> Self {
    Self(
      parts: parts.map { part in
        if case .words(let own) = part { .words(own.replacing(words, with: others)) } else { part }
      }
    )
  }
}
