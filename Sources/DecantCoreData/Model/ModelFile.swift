internal import DecantBase

/// A file or folder at a path named by the user, with the operations that model readers need.
struct ModelFile {
  let path: String

  /// The maximum size; a larger file was named by mistake.
  private static let sizeLimit = 1 << 26

  init(_ path: String) {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    self.path = path
  }

  /// The last part of the path.
  var name: String {
    path.split(separator: "/").last.map { String($0) } ?? path
  }

  /// The last part of the path without its extension.
  var stem: String {
    Self.stem(of: name)
  }

  var exists: Bool { status != nil }

  var isFolder: Bool { status?.isFolder == true }

  /// The folder of the file.
  var folder: ModelFile {
    guard let slash = path.lastIndex(of: "/") else { return ModelFile(".") }
    return ModelFile(slash == path.startIndex ? "/" : String(path[..<slash]))
  }

  /// Returns the file of this name in the folder.
  func file(_ name: String) -> ModelFile { ModelFile("\(path)/\(name)") }

  /// Returns the files in the folder with this extension, sorted by name.
  func files(withExtension suffix: String) -> [ModelFile] {
    let names = (try? Files.names(in: path)) ?? []
    return names.filter { $0.hasSuffix("." + suffix) && !$0.hasPrefix(".") }.sorted().map(file)
  }

  /// Returns the whole content.
  func read() throws(DecantError) -> [UInt8] {
    guard exists else {
      throw DecantError(.modelNotFound, "there is no “\(name)”", place: path)
    }
    // Reading a pipe or a device would never end.
    guard let status, status.isFile else { throw DecantError(.accessDenied, "cannot read “\(name)”", place: path) }
    guard status.byteCount <= Self.sizeLimit else {
      throw DecantError(.modelDamaged, "“\(name)” is too large for a model", place: path, remedy: ModelLocation.remedy)
    }
    return try explaining { () throws(SystemError) in try Files.content(of: Files.resolved(path)) }
  }

  /// Returns `name` without its last point and the part after it.
  static func stem(of name: String) -> String {
    guard let point = name.lastIndex(of: "."), point != name.startIndex else { return name }
    return String(name[..<point])
  }

  /// The status of the file, following links; `nil` if it does not exist or is not accessible.
  private var status: FileStatus? { try? FileStatus.look(at: path, followsLinks: true) }
}
