internal import SQLite

/// The SQL function `external(side, value)`: for a value in a file of its own the hash of the file's
/// content, so that stores are compared by what the files hold and not by their names.
final class ExternalValue: ScalarFunction {
  private let source: (any ExternalStorage)?
  private let destination: (any ExternalStorage)?

  init(source: (any ExternalStorage)?, destination: (any ExternalStorage)?) {
    self.source = source
    self.destination = destination
  }

  override func call(
    _ arguments: borrowing FunctionArguments,
    _ result: borrowing FunctionResult
  ) {
    let storage = arguments.text(at: 0) == "source" ? source : destination
    guard let storage, arguments.type(at: 1) == .blob else {
      return result.pass(arguments, at: 1)
    }
    let found = arguments.withBytes(at: 1) { value in
      (isReference: storage.fileName(in: value) != nil, path: storage.file(for: value))
    }
    guard found.isReference else { return result.pass(arguments, at: 1) }
    guard let path = found.path else { return result.set("the file is missing") }
    do throws(SystemError) {
      result.set("file " + (try Files.hash(of: path)))
    } catch {
      result.fail(error.description)
    }
  }
}
