internal import DecantContainers
package import DecantBase
internal import DecantStore
internal import DecantJSON

/// Groups files into the parts of archives.
package enum ArchiveParts {
  /// Returns the files of each archive, parts in order; the archives in the order of their first file.
  ///
  /// - Parameter files: The files with their headers; standard input has none and is an archive by itself.
  /// - Returns: The file names of each archive.
  package static func group(_ files: [(file: String, header: ArchiveHeader?)]) -> [[String]] {
    var groups: [(id: String?, parts: [Int64: String])] = []
    for (file, header) in files {
      guard let header else {
        groups.append((nil, [1: file]))
        continue
      }
      // A second file with the same part is a copy of the archive, and is imported separately.
      let place = groups.firstIndex { $0.id == header.id && $0.parts[header.part] == nil }
      if let place {
        groups[place].parts[header.part] = file
      } else {
        groups.append((header.id, [header.part: file]))
      }
    }
    return groups.map { group in group.parts.sorted { $0.key < $1.key }.map(\.value) }
  }

  /// Reads the first line of a file.
  package static func header(of file: String, _ limits: ArchiveLimits = ArchiveLimits())
    throws(DecantError) -> ArchiveHeader
  {
    try DatabaseFile.checkIsFile(file)
    let stream = try ArchiveStream(file, limits: limits)
    let reader = ArchiveReader(HeaderOnly(), limits: limits, cancellation: Cancellation())
    return try reader.header(of: stream.lines, place: file)
  }
}

/// Reads only the header of an archive.
private final class HeaderOnly: ArchiveTaker {
  func take(_ header: ArchiveHeader) throws {}
  func take(piece: UnsafeRawBufferPointer, of blob: ArchiveBlob) throws {}
  func take(finished blob: ArchiveBlob) throws {}

  func take(object line: inout JSONReader) throws -> ArchiveObject {
    throw ArchiveFault("only the header is read")
  }
}
