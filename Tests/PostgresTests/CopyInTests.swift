import DecantPostgres
import TestSupport
import Testing

/// Rows on their way to the server.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct CopyInTests {
  /// Nothing of them is longer than a piece.
  @Test func `rows of numbers are sent in pieces`() throws {
    let place = try PostgresFolder()
    try place.psql("CREATE SCHEMA p; CREATE TABLE p.t (a int, b bigint, c double precision)")
    let parameters = try PostgresParameters(String(place.location.dropFirst("postgres:".count)))
    let connection = try PostgresConnection(parameters)
    let copy = try CopyIn("COPY p.t FROM STDIN (FORMAT binary)", on: connection)
    for number in 0..<50_000 {
      try copy.beginRow(3)
      copy.append(value: Int32(number))
      if number.isMultiple(of: 7) { copy.appendNull() } else { copy.append(value: Int64(number) << 32) }
      copy.append(value: Double(number) / 8)
      // A row has at least 26 bytes, and a few pieces of 32 KiB are kept at most.
      #expect(number * 26 - copy.byteCount < 1 << 18)
    }
    #expect(try copy.finish() == 50_000)
    let sums = "SELECT count(*), sum(a), count(b), sum(b >> 32), sum(c) FROM p.t"
    #expect(try place.psql(sums) == "50000|1249975000|42857|1071421429|156246875")
  }
}
