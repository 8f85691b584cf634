internal import DecantBase
internal import CDecantXXHash
package import DecantSQLite

/// The SQL function `large(schema, table, column, rowid, mark)`: a hash of a value too large for memory, read in
/// pieces, without its mark.
package final class LargeValue: StandIn {
  /// The connection that owns this function.
  private unowned let connection: Connection

  package init(_ connection: Connection) { self.connection = connection }

  package override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    guard let state = XXH3_createState() else { return result.fail("out of memory") }
    defer { XXH3_freeState(state) }
    XXH3_128bits_reset(state)
    let mark = arguments.count > 4 ? arguments.withBytes(at: 4) { Array($0) } : []
    do throws(SQLiteError) {
      let value = try BlobHandle(
        arguments.text(at: 0),
        arguments.text(at: 1),
        arguments.text(at: 2),
        rowID: arguments.integer(at: 3),
        on: connection
      )
      // A value with another prefix has no mark.
      let start = try value.begins(with: mark) ? mark.count : 0
      try value.forEachPiece(from: start) { piece, _ in
        XXH3_128bits_update(state, piece.baseAddress, piece.count)
      }
      give(XXH3_128bits_digest(state), for: Int64(value.byteCount - start), result)
    } catch {
      result.fail(error)
    }
  }
}

/// The SQL function `large_file(side, value)`: the same hash of the content of the file that the value refers to.
package final class LargeFile: StandIn {
  private let sides: FileSides

  package init(_ sides: FileSides) { self.sides = sides }

  package override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    guard let storage = sides.storage(arguments),
      let path = arguments.withBytes(at: 1, { storage.file(for: $0) })
    else { return result.fail(RejectCode.convert.message("the file is missing")) }
    guard let state = XXH3_createState() else { return result.fail("out of memory") }
    defer { XXH3_freeState(state) }
    XXH3_128bits_reset(state)
    var byteCount: Int64 = 0
    do throws(SystemError) {
      try Files.forEachPiece(of: path) { piece in
        XXH3_128bits_update(state, piece.baseAddress, piece.count)
        byteCount += Int64(piece.count)
        return true
      }
      give(XXH3_128bits_digest(state), for: byteCount, result)
    } catch {
      result.fail(error.description)
    }
  }
}

extension XXH128_hash_t {
  /// The hash as bytes that are the same on every machine.
  var canonical: XXH128_canonical_t {
    var canonical = XXH128_canonical_t()
    XXH128_canonicalFromHash(&canonical, self)
    return canonical
  }
}
