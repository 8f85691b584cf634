internal import DecantBase

/// The appearance of a page or a mail.
public struct PageOptions: Sendable, Hashable {
  /// The heading above several objects, or on the cover of a book; by default, their entity's name.
  public var title: String?
  /// Whether recipes are in chapters by their first category, rather than in the order of their titles.
  public var hasChapters = false
  /// Whether the cook's own notes and ratings of recipes are included.
  public var keepsNotes = false

  /// The default options: no title, no chapters, no notes.
  public init() {}

  /// Throws if there are options for a page, but no page is written.
  func check(_ place: String, isPage: Bool) throws(DecantError) {
    guard !isPage else { return }
    let options: [(DecantError.Option, Bool)] = [
      (.title, title != nil), (.chapters, hasChapters), (.withNotes, keepsNotes),
    ]
    for (name, isSaid) in options where isSaid {
      throw DecantError(
        .unsuitableOption,
        "\(option: name) is for pages and mails, but “\(place)” is neither",
        remedy: "remove \(option: name), or write NAME.html or NAME.eml"
      )
    }
  }
}
