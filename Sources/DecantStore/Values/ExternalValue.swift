internal import DecantBase
package import DecantSQLite

/// The external storage of the two stores of a copy; `nil` for a store without.
package final class FileSides {
  package var source: (any ExternalStorage)?
  package var destination: (any ExternalStorage)?

  package init(source: (any ExternalStorage)?, destination: (any ExternalStorage)? = nil) {
    self.source = source
    self.destination = destination
  }

  /// Returns the storage of the store that the first argument names.
  func storage(_ arguments: borrowing FunctionArguments) -> (any ExternalStorage)? {
    arguments.text(at: 0) == "source" ? source : destination
  }

  /// Registers the SQL functions for such values on `connection`.
  package func register(on connection: Connection) throws(SQLiteError) {
    let functions: [(String, Int32, ScalarFunction)] = [
      ("external", 2, ExternalValue(self)), ("content", 2, ContentValue(self)),
      ("file_length", 2, FileLength(self)), ("marked", 2, MarkedValue()),
    ]
    for (name, count, function) in functions {
      try connection.register(function, as: name, argumentCount: count, .directOnly)
    }
  }
}

/// A function of two arguments: a store, and a value of that store.
package class SidedFunction: ScalarFunction {
  private let sides: FileSides

  init(_ sides: FileSides) { self.sides = sides }

  final func storage(_ arguments: borrowing FunctionArguments) -> (any ExternalStorage)? {
    sides.storage(arguments)
  }

  /// Returns whether the second argument refers to a file in `storage`, and its path.
  final func reference(in arguments: borrowing FunctionArguments, _ storage: any ExternalStorage)
    -> (isReference: Bool, path: String?)
  {
    arguments.withBytes(at: 1) { value in
      (isReference: storage.fileName(in: value) != nil, path: storage.file(for: value))
    }
  }
}

/// The SQL function `external(side, value)`: for an external value the hash of the file's content, so that stores are
/// compared by content and not by file names.
final class ExternalValue: SidedFunction {
  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    guard let storage = storage(arguments), arguments.type(at: 1) == .blob else {
      return result.pass(arguments, at: 1)
    }
    let found = reference(in: arguments, storage)
    guard found.isReference else { return result.pass(arguments, at: 1) }
    guard let path = found.path else {
      if let obstacle = arguments.withBytes(at: 1, { storage.obstacle(before: $0) }) {
        return result.fail(obstacle.description)
      }
      return result.set("the file is missing")
    }
    do throws(SystemError) {
      result.set("file " + (try Files.hash(of: path)))
    } catch {
      result.fail(error.description)
    }
  }
}
