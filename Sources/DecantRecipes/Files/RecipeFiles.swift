internal import DecantArchive
internal import DecantRecipeFormats
internal import DecantContainers
internal import DecantBase
internal import DecantPlan

/// Reads the recipes in files, folders and containers, whatever their names are.
///
/// Anything that cannot be read is reported with its reason, and the rest is still read.
package final class RecipeFiles {
  let findings = RecipeFindings()
  private let stager: RecipeStager
  private let containers: RecipeContainers
  private let listsArchives: Bool
  private let archives: RecipeArchives?

  /// Makes a reader.
  ///
  /// - Parameters:
  ///   - stager: Takes the recipes.
  ///   - folder: Holds unpacked files.
  ///   - limits: The limits for containers.
  ///   - only: The name of the only format to be read, if one was given.
  ///   - readsLayout: Whether the layout of pages is read in addition to their structured data.
  ///   - listsArchives: Whether archives in folders are listed among the findings, without being read.
  ///   - archives: The limits for archives of recipes, which then count as recipe files; `nil` if they do not.
  ///   - cancellation: Ends the reading.
  ///   - onProgress: Called from time to time with the number of recipes so far.
  /// - Throws: `DecantError` if the folder cannot be written to.
  init(
    _ stager: RecipeStager,
    in folder: ScratchFolder,
    limits: ContainerLimits = ContainerLimits(),
    only: String? = nil,
    readsLayout: Bool = true,
    listsArchives: Bool = false,
    archives: ArchiveLimits? = nil,
    cancellation: Cancellation = Cancellation(),
    onProgress: @escaping (Int64) -> Void = { _ in }
  ) throws(DecantError) {
    self.stager = stager
    self.listsArchives = listsArchives
    let findings = findings
    self.archives = archives.map { RecipeArchives(stager, findings, limits: $0, cancellation: cancellation) }
    let documents = try RecipeDocuments(
      stager,
      findings,
      spool: try TextSpool(in: folder.path),
      folder: folder.path,
      only: only,
      readsLayout: readsLayout,
      archives: self.archives,
      cancellation: cancellation,
      onProgress: onProgress
    )
    containers = RecipeContainers(documents, stager, findings, in: folder, limits: limits)
  }

  /// Reads a file or a folder that the user named.
  ///
  /// - Throws: `DecantError` if the path does not exist or cannot be opened, or if the reading is cancelled.
  func read(_ path: String) throws(DecantError) {
    findings.file = path
    stager.fileNumber += 1
    let before = findings.count
    guard let status = FileStatus(path) else {
      throw DecantError(.fileNotFound, "there is no file at “\(path)”", remedy: "check the spelling")
    }
    // Whatever happens, the folder may be removed afterwards.
    defer { stager.wait() }
    do {
      stager.fileTime = status.changed
      if status.isFolder {
        try read(folder: path, FolderScope(path, stager.pictures, isWhole: true))
      } else {
        let scope = FolderScope(Files.folder(of: path), stager.pictures, isWhole: false)
        try read(path, RecipeEntry(name: Files.name(of: path), shown: nil, scope: scope), look(at: path))
      }
      try stager.rest()
    } catch let error as DecantError {
      throw error
    } catch let error as SystemError {
      throw DecantError(error)
    } catch {
      throw DecantError(.systemFailed, "cannot read “\(path)”: \(error)")
    }
    if status.isFolder, findings.count == before { findings.passOver(nil, "there is no file in it") }
  }

  /// Reads all files of a folder and its subfolders, in the order of their names.
  private func read(folder root: String, _ scope: FolderScope) throws {
    var waiting = [""]
    while let place = waiting.popLast() {
      let path = place.isEmpty ? root : "\(root)/\(place)"
      var folders: [String] = []
      let names: [String]
      do {
        names = try Files.names(in: path).sorted()
      } catch {
        // The named folder has to be readable; an unreadable one in it does not prevent the rest from being read.
        guard !place.isEmpty else { throw error }
        findings.reject(place, "\(error)")
        continue
      }
      let pages = SavedFolders(names)
      for name in names where !RecipeEntry.isNoise(name) {
        let entry = place.isEmpty ? name : "\(place)/\(name)"
        let found: FileStatus?
        do {
          found = try FileStatus.look(at: "\(root)/\(entry)")
        } catch {
          findings.reject(entry, "\(error)")
          continue
        }
        guard let status = found else {
          if name.contains("\u{FFFD}") { findings.reject(entry, "its name is not valid UTF-8: rename it") }
          continue
        }
        if status.isFolder, RecipeEntry.isKept(name) {
          findings.passOver(entry, "it is a version control or trash folder")
        } else if status.isFolder, pages.hasPage(of: name) {
          continue
        } else if status.isFolder {
          folders.append(entry)
        } else if status.isFile,
          ImageFormat(head: Files.start(of: "\(path)/\(name)", count: 16)) != nil
        {
          scope.note(picture: entry)
        } else if status.isFile {
          let look = look(at: "\(root)/\(entry)")
          if look == .other, listsArchives {
            findings.archives.append("\(root)/\(entry)")
            continue
          }
          stager.fileNumber += 1
          stager.fileTime = status.changed
          try read("\(root)/\(entry)", RecipeEntry(name: entry, shown: entry, scope: scope), look)
        } else {
          findings.passOver(entry, status.isLink ? "it is a link" : "it is not a file")
        }
      }
      waiting += folders.reversed()
    }
    for path in scope.unused { findings.passOver(path, "no recipe uses this picture") }
  }

  /// Returns the kind of the file at `path`, which is determined only once.
  private func look(at path: String) -> RecipeArchives.Look {
    archives == nil && !listsArchives ? .none : RecipeArchives.look(at: path, archives?.limits)
  }

  private func read(_ path: String, _ entry: RecipeEntry, _ look: RecipeArchives.Look) throws {
    let before = findings.count
    do {
      if let archives, look == .recipes { return try archives.take(path, entry) }
      // Some of these are ZIP files, and would be unpacked.
      if let document = ForeignDocument(at: path) {
        findings.passOver(entry.shown, "it is \(document.rawValue)")
      } else {
        try containers.read(path, entry)
      }
    } catch ContainerError.empty {
      findings.passOver(entry.shown, "it is empty")
    } catch ContainerError.system(_, let code) {
      findings.reject(entry.shown, "\(SystemError("read", path, code: code))")
    } catch let error as ContainerError {
      findings.reject(entry.shown, "\(error)")
    }
    if findings.count == before { findings.passOver(entry.shown, "it contains no recipe") }
  }
}
