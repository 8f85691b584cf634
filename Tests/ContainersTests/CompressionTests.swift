import DecantContainers
import Testing

@Suite struct CompressionTests {
  @Test(
    arguments: [
      ("a.decant", .none), ("a", .none), ("", .none), ("a.GZ", .gzip), ("/x.zip/a.gz", .gzip),
      ("a.zst", .zstd), ("a.xz", .xz), ("a.lz4", .lz4), (".gz", .none), ("folder/.zip", .none),
      ("a.decant.zip", .zip(member: "a.decant")), ("../x/a.b.ZiP", .zip(member: "a.b")),
      ("a.gz/b", .none), ("a.gz/", .gzip),
    ] as [(String, Compression)]
  )
  func `a name tells the compression`(_ name: String, _ expected: Compression) {
    #expect(Compression(fileName: name) == expected)
  }

  @Test func `each default is a level that there is`() {
    for compression in compressions {
      #expect((compression.levels == nil) == (compression.defaultLevel == nil))
      if let levels = compression.levels, let level = compression.defaultLevel {
        #expect(levels.contains(level))
      }
    }
  }
}
