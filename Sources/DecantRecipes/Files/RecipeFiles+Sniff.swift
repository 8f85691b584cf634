package import DecantArchive
internal import DecantRecipeFormats
package import DecantBase

extension RecipeFiles {
  /// Whether an archive contains nothing but recipes in decant's own model, and is complete.
  package static func isRecipes(_ header: ArchiveHeader) -> Bool { RecipeArchives.isRecipes(header) }

  /// Whether there may be recipes at `path`: a folder, or a file with the beginning of a known format.
  ///
  /// Returns `false` for a file that cannot be opened: whoever opens it reports why.
  package static func isRecipes(_ path: String) -> Bool {
    guard let status = FileStatus(path) else { return false }
    if status.isFolder { return true }
    guard status.isFile, status.byteCount > 0 else { return false }
    let head = Files.start(of: path, count: 1 << 16)
    var isGiven = false
    let input = try? RecipeInput { buffer in
      guard !isGiven else { return 0 }
      isGiven = true
      buffer.copyBytes(from: head)
      return head.count
    }
    switch input?.kind {
    case .json, .html, .xml, .packed, .saved: return true
    case .text:
      return RecipeFormats.text.contains { $0.matches(head, name: Files.name(of: path)) }
    case .picture, .database, .empty, .unknown, .foreign, nil: return false
    }
  }

  /// Returns the error for the file at `path` if it is a document that may hold recipes but that decant does not read,
  /// or text without a recipe that decant recognizes.
  package static func refusal(of path: String) -> DecantError? {
    guard FileStatus(path)?.isFile == true else { return nil }
    let head = Files.start(of: path, count: 1 << 16)
    if let document = ForeignDocument(at: path) { return document.refusal(of: path) }
    // The reader of archives reports the faults of pages and mails.
    guard !head.isEmpty, !ArchiveStream.mayHoldArchive(head: head),
      head.allSatisfy({ $0 >= 0x20 || (0x09...0x0d).contains($0) })
    else { return nil }
    return DecantError(
      .notAStore,
      "“\(path)” is text in which decant recognizes no recipe",
      remedy: "export the recipe from its app, or save its web page; for the supported formats, "
        + "\(shell: "run: decant stores", app: "see the kinds of stores")"
    )
  }
}
