internal import DecantBase
internal import FoundationEssentials

/// What lies at a path a user named, as the readers of models need it.
struct ModelFile {
  let path: String

  /// No model comes near this; what is larger was named by mistake.
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

  var exists: Bool { FileManager.default.fileExists(atPath: path) }

  var isFolder: Bool {
    type == .typeDirectory
  }

  /// The folder the file is in.
  var folder: ModelFile {
    guard let slash = path.lastIndex(of: "/") else { return ModelFile(".") }
    return ModelFile(slash == path.startIndex ? "/" : String(path[..<slash]))
  }

  /// Returns the file of this name in the folder.
  func file(_ name: String) -> ModelFile { ModelFile("\(path)/\(name)") }

  /// Returns the files in the folder with this extension, in order of their names.
  func files(withExtension suffix: String) -> [ModelFile] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.filter { $0.hasSuffix("." + suffix) && !$0.hasPrefix(".") }.sorted().map(file)
  }

  /// Returns the whole content.
  func read() throws(DecantError) -> [UInt8] {
    guard exists else {
      throw DecantError(.modelNotFound, "there is no “\(name)”", place: path)
    }
    // Reading a pipe or a device would not end.
    guard type == .typeRegular, let content = FileManager.default.contents(atPath: path) else {
      throw DecantError(.accessDenied, "cannot read “\(name)”", place: path)
    }
    guard content.count <= Self.sizeLimit else {
      throw DecantError(.modelDamaged, "“\(name)” is too large for a model", place: path, remedy: ModelLocation.remedy)
    }
    return [UInt8](content)
  }

  /// Returns `name` without what follows its last point.
  static func stem(of name: String) -> String {
    guard let point = name.lastIndex(of: "."), point != name.startIndex else { return name }
    return String(name[..<point])
  }

  private var type: FileAttributeType? {
    // The attributes are those of a link itself, which is why the link is resolved first.
    let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let attributes = try? FileManager.default.attributesOfItem(atPath: resolved)
    return attributes?[.type] as? FileAttributeType
  }
}
