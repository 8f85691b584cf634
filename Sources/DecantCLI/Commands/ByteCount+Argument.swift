internal import ArgumentParser
internal import DecantPlan

extension ByteCount {
  /// Parses a size given as the value of an option.
  static func argument(_ text: String) throws -> Int64 {
    do throws(Mistake) {
      return try parse(text)
    } catch {
      throw ValidationError(error.message)
    }
  }
}
