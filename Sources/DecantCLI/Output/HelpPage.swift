internal import ArgumentParser
internal import Synchronization

/// The page of help of a verb: `--help` has what most people need on one screen, `--help-hidden` has everything.
///
/// A text or an option that only the long page has is declared as `.rare` or as details. Everything else that is made of
/// the declarations has them too: completions, manual pages, and the nearest name of a mistyped option.
enum HelpPage {
  private static let isShort = Atomic<Bool>(false)

  /// Puts together what is said of a verb beside its options.
  ///
  /// - Parameters:
  ///   - text: What it does.
  ///   - details: What only the long page has.
  ///   - examples: Commands, one a line.
  /// - Returns: Its paragraphs, as they are now wanted.
  static func discussion(_ text: String, details: String? = nil, examples: String) -> String {
    let parts = [text, detail(details), "Examples:\n" + examples.indented(by: 2)]
    return parts.compactMap(\.self).joined(separator: "\n\n")
  }

  /// Returns `text`, or `nil` while the short page is made.
  fileprivate static func detail(_ text: String?) -> String? {
    isShort.load(ordering: .relaxed) ? nil : text
  }

  /// How visible an option is that only the long page has.
  fileprivate static var rareVisibility: ArgumentVisibility {
    isShort.load(ordering: .relaxed) ? .hidden : .default
  }

  /// Makes the page to print.
  ///
  /// - Parameters:
  ///   - arguments: What was asked, without the name of the program.
  ///   - verb: The verb whose page it is; `nil` for that of the program.
  ///   - render: Makes a page.
  /// - Returns: The long one if `arguments` ask for it, or if it is not longer.
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
  /// An option that the short page of help leaves out.
  static var rare: ArgumentVisibility { HelpPage.rareVisibility }
}

extension String? {
  /// What only the long page of help says of an option.
  static func detail(_ text: String) -> String? { HelpPage.detail(text) }
}

extension String {
  /// Returns every line with `count` spaces in front.
  fileprivate func indented(by count: Int) -> String {
    let indent = String(repeating: " ", count: count)
    return split(separator: "\n").map { indent + $0 }.joined(separator: "\n")
  }
}
