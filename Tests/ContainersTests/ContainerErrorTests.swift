import DecantContainers
import Testing

@Suite struct ContainerErrorTests {
  @Test(
    arguments: [
      (.damaged("no end"), "the packed data is damaged: no end"),
      (.damaged("no end", at: 7), "the packed data is damaged near byte 7: no end"),
      (.truncated("a zip", at: 9), "the packed data ends at byte 9, within a zip"),
      (.encrypted(at: 0), "the packed data is encrypted, at byte 0"),
      (.unsupported("bzip2"), "the packed data cannot be read: bzip2"),
      (.unsupported("bzip2", at: 4), "the packed data cannot be read at byte 4: bzip2"),
      (.empty, "there is nothing to read: the input is empty"),
      (.tooLarge(limit: 5), "the packed data unpacks to more than 5 bytes"),
      (.exceeded(.totalByteCount, limit: 5), "the data unpacks to more than 5 bytes"),
      (.exceeded(.memberCount, limit: 5), "the data has more than 5 members"),
      (.exceeded(.depth, limit: 2), "containers are nested more than 2 levels deep"),
      (
        .exceeded(.expansion, limit: 1000),
        "the data unpacks to more than 1000 times its size, like a decompression bomb"
      ),
      (.invalidLevel(10, compression: "gzip", allowed: 1...9), "level 10 is not valid for gzip: use 1 to 9"),
      (
        .invalidLevel(1, compression: "no compression", allowed: nil),
        "level 1 is not valid: no compression has no levels"
      ),
      (.system("write", errno: 28), "write failed: No space left on device"),
      (.outOfMemory, "there is not enough memory to pack or unpack the data"),
    ] as [(ContainerError, String)]
  )
  func `each error is a sentence`(_ error: ContainerError, _ text: String) {
    #expect(error.description == text)
  }
}
