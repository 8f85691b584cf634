internal import DecantBase
internal import DecantSystem

/// The folder in which a query saves bytes, one file per value: `COLUMN-ROW.EXTENSION`.
struct BlobFolder {
  private let path: String
  /// The prefix of file names for each column.
  private let stems: [String]

  /// Creates the folder at `path` if necessary, for the columns named `columns`.
  init(_ path: String, for columns: [String]) throws(DecantError) {
    self.path = path
    guard !path.isEmpty, FileStatus(path)?.isFolder != false else {
      throw DecantError(
        .invalidPlace,
        "“\(path)” is not a folder",
        place: "\(option: .blobDir)",
        remedy: "name a folder; decant creates it if it does not exist"
      )
    }
    try explaining { () throws(SystemError) in try Files.makeFolder(path) }
    var names = DistinctNames()
    stems = columns.map { names.claim(BlobFolder.stem($0), separator: "_", end: "") }
  }

  /// Writes the bytes in `column` of the current row of `query`, and returns the path of the file.
  ///
  /// The file is written under another name and renamed when it is complete. An existing file is not overwritten.
  func save(column: Int, row: Int64, of query: QueryRows, _ summary: ByteSummary) throws(DecantError) -> String {
    let end = summary.image?.fileExtension ?? "bin"
    let file = (path == "/" ? "" : path) + "/\(stems[column])-\(row).\(end)"
    guard FileStatus(unfollowed: file) == nil else { throw BlobFolder.taken(file) }
    let partial = file + ".decant-partial"
    let descriptor = open(partial, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o666)
    guard descriptor >= 0 else { throw DecantError(SystemError("write", partial)) }
    var failure: SystemError?
    do throws(DecantError) {
      defer { close(descriptor) }
      try query.forEachPiece(of: column) { piece in
        do throws(SystemError) {
          try Files.write(piece, to: descriptor, of: partial)
        } catch {
          failure = error
        }
        return failure == nil
      }
      if let failure { throw DecantError(failure) }
    } catch {
      unlink(partial)
      throw error
    }
    do throws(SystemError) {
      try Files.publish(partial, at: file)
    } catch {
      unlink(partial)
      throw error.isExisting ? BlobFolder.taken(file) : DecantError(error)
    }
    return file
  }

  private static func taken(_ file: String) -> DecantError {
    DecantError(
      .alreadyExists,
      "“\(file)” already exists and would be overwritten",
      place: "\(option: .blobDir)",
      remedy: "name an empty folder, or one that does not exist yet"
    )
  }

  /// Returns a column's name as part of a file name: letters and digits of any script, `-` and `_`, at most 80 bytes.
  private static func stem(_ column: String) -> String {
    var stem = ""
    for scalar in column.unicodeScalars {
      let isPlain = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      let text = isPlain || scalar == "_" || (scalar == "-" && !stem.isEmpty) ? "\(scalar)" : "_"
      guard stem.utf8.count + text.utf8.count <= 80 else { break }
      stem += text
    }
    return stem.isEmpty ? "column" : stem
  }
}
