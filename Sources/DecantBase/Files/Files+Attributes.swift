internal import CDecantLinux
internal import DecantSystem

extension Files {
  /// Copies the extended attributes of the file at `other`, including its access control list, to the file at `path`.
  ///
  /// Attributes that only the system may set (`security.`, `trusted.`) stay unchanged where they cannot be set. On a
  /// file system without such attributes nothing changes.
  package static func giveAttributes(_ path: String, of other: String) throws(SystemError) {
    for name in try attributeNames(of: other) {
      let count = getxattr(other, name, nil, 0)
      var value = [UInt8](repeating: 0, count: max(0, count))
      guard count >= 0, getxattr(other, name, &value, value.count) == count else {
        throw SystemError("read the attribute \(name) of", other)
      }
      guard setxattr(path, name, value, count, 0) != 0 else { continue }
      let isOfUser = name.hasPrefix("user.") || name.hasPrefix("system.posix_acl")
      guard !isOfUser else { throw SystemError("set the attribute \(name) of", path) }
    }
  }

  private static func attributeNames(of path: String) throws(SystemError) -> [String] {
    let count = listxattr(path, nil, 0)
    guard count != 0 else { return [] }
    guard count > 0 else {
      if errno == ENOTSUP { return [] }
      throw SystemError("list the attributes of", path)
    }
    var names = [CChar](repeating: 0, count: count)
    guard listxattr(path, &names, count) == count else {
      throw SystemError("list the attributes of", path)
    }
    return names.split(separator: 0).map { name in
      String(decoding: name.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }

  /// Returns whether a file system or a single file is mounted at `path`, a path without links.
  package static func isMountPoint(_ path: String) -> Bool {
    guard let real = realPath(of: path), let table = try? content(of: "/proc/self/mountinfo") else {
      return false
    }
    return String(decoding: table, as: UTF8.self).split(separator: "\n").contains { line in
      let words = line.split(separator: " ")
      guard words.count > 4 else { return false }
      // Blanks and similar characters are written as three octal digits.
      var place: [UInt8] = []
      var rest = Array(words[4].utf8)[...]
      while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "\\"), rest.count >= 3,
          let code = UInt8(String(decoding: rest.prefix(3), as: UTF8.self), radix: 8)
        {
          place.append(code)
          rest = rest.dropFirst(3)
        } else {
          place.append(byte)
        }
      }
      return place == Array(real.utf8)
    }
  }
}
