package import Decant
internal import Testing

/// What a run that is to fail says, and with which code.
package func failure(_ body: () throws -> Void) throws -> DecantError {
  do {
    try body()
  } catch let error as DecantError {
    return error
  }
  Issue.record("it did not fail")
  throw CancellationError()
}
