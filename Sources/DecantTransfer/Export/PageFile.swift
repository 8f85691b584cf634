internal import DecantArchive
internal import DecantPages
internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSystem

/// The page or mail around an archive; it gets its name only when it is complete.
final class PageFile {
  private let place: ArchivePlace
  private let file: PartialFile
  /// The temporary file for the lines.
  let lines: ArchivePlace

  /// Reserves the place of a page or mail; the lines go to `folder`.
  init(_ place: ArchivePlace, in folder: ScratchFolder) throws(DecantError) {
    try OutputFile.checkIsNew(place.path)
    self.place = place
    let name = "\(folder.path)/\(place.stem.isEmpty ? "archive" : place.stem).decant"
    guard
      let lines = ArchivePlace(place.form == .mail ? name + ".gz" : name, isAsked: true)
    else { throw DecantError(.placeOccupied, "there is no free name for the lines of “\(place.path)”") }
    self.lines = lines
    file = try PartialFile(for: place.path)
    try file.clear()
  }

  /// The path of the file until it is published.
  var path: String { file.path }

  /// Writes the objects of `source` in `scope`, with `title` above several, and the archive in the first of `paths`.
  ///
  /// - Returns: Notes for the report.
  func write(_ source: any SourceStore, _ scope: SharedScope, title: String?, archive paths: [String])
    throws(DecantError) -> [ReportNote]
  {
    let (path, archive) = (file.path, paths.first ?? "")
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw DecantError(SystemError("write", path)) }
    defer { close(descriptor) }
    let bytes = BlobLines.content(ofFile: archive)
    let take: ByteTaker = { bytes throws(DecantError) in
      try explaining { () throws(SystemError) in
        try Files.write(bytes, to: descriptor, of: path)
      }
    }
    let report =
      place.form == .mail
      ? try SharedMail(of: source, scope, title: title)
        .write(attachment: (Files.name(of: lines.path), bytes), to: take)
      : try SharedPage(of: source, scope, title: title).write(archive: bytes, to: take)
    var notes: [ReportNote] = []
    if report.lostFileCount > 0 {
      notes.append(ReportNote(.filesMissing, "\(Int64(report.lostFileCount).counted("file")) of the store are missing"))
    }
    if report.leftOutPictureCount > 0 {
      notes.append(
        ReportNote(
          .picturesLeftOut,
          "\(Int64(report.leftOutPictureCount).counted("picture")) did not fit in the mail: the attached archive contains them"
        ))
    }
    return notes
  }

  /// Gives the file its name.
  func publish() throws(DecantError) { try file.publish() }

  /// Removes what was written.
  func abandon() { file.remove() }
}
