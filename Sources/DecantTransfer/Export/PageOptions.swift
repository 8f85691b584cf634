internal import DecantBase

/// How a page or a mail shows what is exported.
public struct PageOptions: Sendable, Hashable {
  /// What stands above several objects, on the cover of a book; without it, their entity's name.
  public var title: String?
  /// Whether recipes stand in chapters by their first category; else in the order of their titles.
  public var hasChapters = false
  /// Whether the cook's own notes and ratings of recipes go along.
  public var keepsNotes = false

  /// A page as it is without options: no title, no chapters, no notes.
  public init() {}

  /// Refuses what is said of a page where none is made.
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
