internal import DecantRecipeFormats
internal import DecantContainers
internal import DecantBase
internal import DecantSystem

/// Unpacks containers of recipes: ZIP, tar, gzip and other formats, also nested ones.
final class RecipeContainers {
  private let documents: RecipeDocuments
  private let stager: RecipeStager
  private let findings: RecipeFindings
  private let folder: ScratchFolder
  private let limits: ContainerLimits
  /// The number of folders and files created.
  private var placeCount = 0

  init(
    _ documents: RecipeDocuments,
    _ stager: RecipeStager,
    _ findings: RecipeFindings,
    in folder: ScratchFolder,
    limits: ContainerLimits
  ) {
    self.documents = documents
    self.stager = stager
    self.findings = findings
    self.folder = folder
    self.limits = limits
  }

  /// Reads a file that may be packed: the file itself, or the members of an archive.
  func read(_ path: String, _ entry: RecipeEntry) throws {
    try read(ContainerReader(path: path, limits: limits, unpacksMembers: false, depth: entry.depth), entry)
  }

  private func read(_ reader: ContainerReader, _ entry: RecipeEntry) throws {
    var zip: ZipScope?
    var failure: (any Error)?
    let time = stager.fileTime
    defer { stager.fileTime = time }
    do {
      var last: String?
      while let member = try nextMember(of: reader, behind: last) {
        try documents.checkStop()
        guard let bytes = member.nameBytes else {
          try read(RecipeInput { buffer in try reader.read(into: buffer) }, entry)
          continue
        }
        let scope = try zip ?? makeScope()
        zip = scope
        let path = EntryPath.inside(RecipeEncoding.name(bytes))
        guard !RecipeEntry.isNoise(path) else { continue }
        let kind = member.kind
        stager.fileTime = RecipeContainers.time(of: member, in: time)
        let member = entry.member(path, scope, depth: member.depth)
        last = member.shown
        guard kind == .file else {
          findings.passOver(member.shown, kind == .link ? "it is a link" : "it is not a file")
          continue
        }
        do {
          let input = try RecipeInput { buffer in try reader.read(into: buffer) }
          try read(input, member, picturesTo: scope)
        } catch let error as ContainerError {
          stager.pictures.clear()
          let isLast = !reader.skipMember()
          let rest = isLast ? "; nothing after it can be read" : ""
          findings.reject(member.shown, "\(error)\(rest)")
          if isLast { break }
        }
      }
    } catch {
      failure = error
    }
    // Recipes read before a failure get the pictures that were read before it.
    if let zip {
      for missing in try stager.settlePictures(zip) {
        findings.warn(missing.entry, missing.warning, of: missing.recipe)
      }
      for path in zip.unused {
        findings.passOver(entry.member(path, zip, depth: entry.depth).shown, "no recipe uses this picture")
      }
      try Files.removeTree(zip.folder)
    }
    if let failure { throw failure }
  }

  /// Returns the modification time of a member of a container that was written at `time`.
  ///
  /// A member is never newer than its container, and a time before 1990 means that none was recorded.
  private static func time(of member: ContainerMember, in time: Int64) -> Int64 {
    let year1990: Int64 = 631_152_000_000_000_000
    guard let changed = member.changed, changed > year1990 else { return time }
    return min(changed, time)
  }

  /// Advances to the next member; an error at the end of a member that has been read becomes a warning.
  private func nextMember(of reader: ContainerReader, behind last: String?) throws -> ContainerMember? {
    while true {
      do {
        return try reader.nextMember()
      } catch {
        guard let last, reader.skipMember() else { throw error }
        findings.warn(last, "\(error)")
      }
    }
  }

  /// Creates a place for the pictures of an archive.
  private func makeScope() throws -> ZipScope {
    placeCount += 1
    let place = "\(folder.path)/container\(placeCount)"
    try Files.makeFolder(place)
    return try ZipScope(in: place)
  }

  /// Reads one member of an archive; its faults do not affect other members.
  private func read(_ input: RecipeInput, _ entry: RecipeEntry, picturesTo scope: ZipScope) throws {
    guard input.kind == .picture else {
      scope.note(document: entry.name)
      return try read(input, entry)
    }
    do {
      try scope.take(entry.name) { spool in try input.forEachPiece(spool) }
    } catch let fault as RecipeFault {
      findings.warn(entry.shown, fault.message)
    }
  }

  /// Reads one document, or its content if it is packed.
  private func read(_ input: RecipeInput, _ entry: RecipeEntry) throws {
    guard input.kind == .packed else { return try documents.read(input, entry) }
    do {
      if input.head.starts(with: [0x1f, 0x8b]) {
        try readAsItComes(input, entry)
      } else {
        try readFromFile(input, entry)
      }
    } catch let fault as RecipeFault {
      findings.reject(entry.shown, fault.message)
    }
  }

  /// Copies a nested container into a file of its own, and reads that.
  private func readFromFile(_ input: RecipeInput, _ entry: RecipeEntry) throws {
    placeCount += 1
    let path = "\(folder.path)/packed\(placeCount)"
    let packed = try TextSpool(at: path, memoryByteCount: 0)
    // If this fails, the file is removed with the folder.
    defer { unlink(path) }
    try input.forEachPiece { try packed.append($0) }
    do {
      try read(path, entry)
    } catch let error as ContainerError {
      throw RecipeFault("\(error)")
    }
  }

  /// Unpacks a nested container while it is being read.
  private func readAsItComes(_ input: RecipeInput, _ entry: RecipeEntry) throws {
    // A failure of the outer container is not a fault of the inner one.
    var failure: (any Error)?
    do {
      let reader = try ContainerReader(limits: limits, unpacksMembers: false, depth: entry.depth) {
        buffer throws(ContainerError) in
        do {
          return try input.read(into: buffer)
        } catch {
          failure = error
          throw (error as? ContainerError) ?? .truncated("the content of a container", at: 0)
        }
      }
      try read(reader, entry)
    } catch let error as ContainerError {
      if let failure { throw failure }
      throw RecipeFault("\(error)")
    }
  }
}
