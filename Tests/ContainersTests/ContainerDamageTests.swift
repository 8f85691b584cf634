import DecantContainers
import Foundation
import TestSupport
import Testing

/// A container that is cut or changed is an error, or what was changed does not matter.
@Suite struct ContainerDamageTests {
  /// How a small container is made of `text`, whose bytes are all under a checksum.
  static let makers: [(name: String, script: String)] = [
    ("gzip", "z = gzip.compress(text)"),
    ("bzip2", "z = bz2.compress(text)"),
    ("xz", "z = lzma.compress(text)"),
    ("zip", "z = zipped(text)"),
    ("zip, stored", "z = zipped(text, zipfile.ZIP_STORED)"),
    ("zip into a pipe", "z = zipped(text, pipe=True)"),
    ("zip into a pipe, stored", "z = zipped(text, zipfile.ZIP_STORED, pipe=True)"),
    ("gzip in a zip", "z = zipped(gzip.compress(text), zipfile.ZIP_STORED)"),
    ("zip in gzip", "z = gzip.compress(zipped(text))"),
    ("bzip2 in a zip", "z = zipped(text, zipfile.ZIP_BZIP2)"),
    ("7z", "z = seven(text)"),
    ("7z of bzip2", "z = seven(text, 'bzip2')"),
    ("7z, stored", "z = seven(text, 'store')"),
  ]

  private static let prelude = """
    import bz2, gzip, io, lzma, os, subprocess, tempfile, zipfile
    class Forward(io.RawIOBase):
      def __init__(self): self.parts = []
      def writable(self): return True
      def write(self, data): self.parts.append(bytes(data)); return len(data)
    def zipped(data, method=zipfile.ZIP_DEFLATED, pipe=False):
      file = Forward() if pipe else io.BytesIO()
      with zipfile.ZipFile(file, 'w', method) as z: z.writestr('a.decant', data)
      return b''.join(file.parts) if pipe else file.getvalue()
    def seven(data, method='lzma1'):
      with tempfile.TemporaryDirectory() as folder:
        open(folder + '/a.decant', 'wb').write(data)
        os.utime(folder + '/a.decant', (0, 0))
        command = ['bsdtar', '-cf', folder + '/z', '--format', '7zip', '--options', '7zip:compression=' + method]
        subprocess.run(command + ['-C', folder, 'a.decant'], check=True)
        return open(folder + '/z', 'rb').read()
    text = open(plain, 'rb').read()
    \n
    """

  /// The samples: by Python, and those of the writer for each compression.
  static let samples: [String] =
    makers.map(\.name) + ["our gzip", "our zstd", "our xz", "our lz4", "our zip"]

  private let packed: Packed

  init() throws { packed = try Packed() }

  private func make(_ sample: String) throws -> [UInt8] {
    try packed.putPlain(Plain.text)
    if let maker = Self.makers.first(where: { $0.name == sample }) {
      try packed.python(Self.prelude + maker.script + "\nopen(packed, 'wb').write(z)")
    } else {
      let name = "x." + (sample.split(separator: " ").last ?? "")
      let compression: Compression =
        name == "x.gzip" ? .gzip : name == "x.zstd" ? .zstd : Compression(fileName: name)
      try packed.write([Plain.text], compression)
    }
    return try packed.bytes
  }

  /// The bits of a byte that are flipped: by turns two of them, or with `DECANT_SLOW=1` all.
  private func bits(of index: Int) -> [Int] {
    Effort.isThorough ? Array(0..<8) : [index % 8, (index * 3 + 5) % 8]
  }

  @Test(arguments: samples) func `every cut is an error`(_ sample: String) throws {
    let whole = try make(sample)
    #expect(try packed.read().map(\.bytes) == [Plain.text])
    let descriptor = open(packed.path, O_RDWR | O_CLOEXEC)
    defer { close(descriptor) }
    for count in (0..<whole.count).reversed() {
      ftruncate(descriptor, off_t(count))
      lseek(descriptor, 0, SEEK_SET)
      do {
        let members = try Packed.read(ContainerReader(descriptor: descriptor))
        // One byte that is a letter is a text of one letter.
        #expect(count == 1 && members.map(\.depth) == [0], "cut at \(count) of \(whole.count)")
      } catch is ContainerError {}
    }
  }

  @Test(arguments: samples)
  func `a flipped bit is an error or without effect`(_ sample: String) throws {
    let whole = try make(sample)
    let sound = try packed.read()
    let descriptor = open(packed.path, O_RDWR | O_CLOEXEC)
    defer { close(descriptor) }
    for index in whole.indices {
      for bit in bits(of: index) {
        var byte = whole[index] ^ UInt8(1 << bit)
        pwrite(descriptor, &byte, 1, off_t(index))
        lseek(descriptor, 0, SEEK_SET)
        do {
          let members = try Packed.read(ContainerReader(descriptor: descriptor))
          // Without its mark it is plain bytes.
          let isPlain = index < 6 && members.map(\.depth) == [0]
          #expect(isPlain || members == sound, "bit \(bit) of byte \(index) of \(whole.count)")
        } catch is ContainerError {}
      }
      var byte = whole[index]
      pwrite(descriptor, &byte, 1, off_t(index))
    }
  }

  @Test(arguments: SeededGenerator.seeds(3))
  func `many changes at once are no more than an error`(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for sample in Self.samples {
      let whole = try make(sample)
      for _ in 0..<100 {
        var damaged = whole
        for _ in 0..<Int.random(in: 1...20, using: &generator) {
          let index = Int.random(in: damaged.indices, using: &generator)
          switch Int.random(in: 0..<4, using: &generator) {
          case 0: damaged[index] = UInt8.random(in: 0...255, using: &generator)
          case 1: damaged[index] = Bool.random(using: &generator) ? 0 : 0xFF
          case 2: damaged.insert(damaged[index], at: index)
          default: if damaged.count > 1 { damaged.remove(at: index) }
          }
        }
        try packed.put(damaged)
        do {
          let members = try packed.read()
          #expect(
            damaged == whole || members.map(\.depth) == [0] || members.map(\.bytes) == [Plain.text],
            "\(sample), seed \(seed)"
          )
        } catch is ContainerError {}
      }
    }
  }

  @Test(arguments: ["zstd --no-check -qc", "lz4 --no-frame-crc -qc"])
  func `without a checksum a changed bit is no more than an error`(_ command: String) throws {
    try Packed.need(command.split(separator: " ").first.map(String.init) ?? "")
    try packed.putPlain(Plain.text)
    try packed.shell("\(command) < $plain > $packed")
    let whole = try packed.bytes
    for index in whole.indices {
      for bit in bits(of: index) {
        var damaged = whole
        damaged[index] ^= UInt8(1 << bit)
        try packed.put(damaged)
        do { _ = try packed.read() } catch is ContainerError {}
      }
    }
  }
}
