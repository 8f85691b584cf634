internal import DecantBase
internal import DecantSQLite

/// The SQL function `content(side, value)`: the bytes of a value, inline or from a file; NULL for a missing file.
package final class ContentValue: SidedFunction {
  /// The message for bytes that are neither marked as inline nor refer to a file.
  package static let unknownForm = "its first byte does not say where the data is stored"

  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    guard let storage = storage(arguments), arguments.type(at: 1) == .blob else {
      return result.pass(arguments, at: 1)
    }
    let found = reference(in: arguments, storage)
    guard found.isReference else {
      return arguments.withBytes(at: 1) { value in
        guard storage.recognizes(value, byteCount: Int64(value.count)) else {
          return result.fail(RejectCode.convert.message(ContentValue.unknownForm))
        }
        result.set(storage.inlineContent(of: value))
      }
    }
    guard let path = found.path else { return result.setNull() }
    do throws(SystemError) {
      try Files.content(of: path).withUnsafeBytes { result.set($0) }
    } catch {
      result.fail(error.description)
    }
  }
}

/// The SQL function `file_length(side, value)`: the size of the file that the value refers to, -1 for a missing file;
/// NULL for an inline value.
final class FileLength: SidedFunction {
  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    guard let storage = storage(arguments), arguments.type(at: 1) == .blob else {
      return result.setNull()
    }
    arguments.withBytes(at: 1) { value in
      guard storage.fileName(in: value) != nil else { return result.setNull() }
      let status = storage.file(for: value).flatMap { FileStatus(unfollowed: $0) }
      if status == nil, let obstacle = storage.obstacle(before: value) {
        return result.fail(obstacle.description)
      }
      result.set(status?.byteCount ?? -1)
    }
  }
}

/// The SQL function `marked(mark, value)`: bytes with the mark as prefix.
final class MarkedValue: ScalarFunction {
  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    guard arguments.type(at: 1) == .blob else { return result.pass(arguments, at: 1) }
    var bytes = arguments.withBytes(at: 0) { Array($0) }
    arguments.withBytes(at: 1) { bytes += $0 }
    bytes.withUnsafeBytes { result.set($0) }
  }
}
