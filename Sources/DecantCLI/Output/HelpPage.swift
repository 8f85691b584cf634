internal import ArgumentParser
internal import Synchronization

/// The help page of a verb: `--help` shows the most important parts on one screen, `--help-hidden` shows everything.
///
/// Texts and options that only the long page contains are declared as `.rare` or as details. Everything else that is
/// generated from the declarations includes them: completions, manual pages, and suggestions for mistyped options.
enum HelpPage {
  private static let isShort = Atomic<Bool>(false)

  /// Returns the description of a verb, which precedes its options.
  ///
  /// - Parameters:
  ///   - text: The purpose of the verb.
  ///   - details: The text for the long page only.
  ///   - examples: Commands, one per line.
  /// - Returns: The paragraphs for the page that is being made.
  static func discussion(_ text: String, details: String? = nil, examples: String) -> String {
    let parts = [text, detail(details), "Examples:\n" + examples.indented(by: 2)]
    return parts.compactMap(\.self).joined(separator: "\n\n")
  }

  /// Returns `text`, or `nil` while the short page is made.
  fileprivate static func detail(_ text: String?) -> String? {
    isShort.load(ordering: .relaxed) ? nil : text
  }

  /// The visibility of an option that only the long page contains.
  fileprivate static var rareVisibility: ArgumentVisibility {
    isShort.load(ordering: .relaxed) ? .hidden : .default
  }

  /// Returns the page to print.
  ///
  /// - Parameters:
  ///   - arguments: The request, without the name of the program.
  ///   - verb: The verb of the page; `nil` for the page of the program.
  ///   - render: Renders a page.
  /// - Returns: The long page if `arguments` request it, or if both pages are equal.
  static func text(for arguments: [String], of verb: String?, _ render: () -> String) -> String {
    let long = render()
    guard let verb, !arguments.contains("--help-hidden") else { return long }
    isShort.store(true, ordering: .relaxed)
    defer { isShort.store(false, ordering: .relaxed) }
    let short = render()
    guard short != long else { return long }
    return short + "\nAll options and details: decant \(verb) --help-hidden\n"
  }
}

extension ArgumentVisibility {
  /// The visibility of an option that the short help page omits.
  static var rare: ArgumentVisibility { HelpPage.rareVisibility }
}

extension String? {
  /// Returns the part of an option's description for the long help page only.
  static func detail(_ text: String) -> String? { HelpPage.detail(text) }
}

extension String {
  /// Returns the text with `count` spaces before every line.
  fileprivate func indented(by count: Int) -> String {
    let indent = String(repeating: " ", count: count)
    return split(separator: "\n").map { indent + $0 }.joined(separator: "\n")
  }
}
