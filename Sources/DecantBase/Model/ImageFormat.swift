/// An image format, recognised by the first bytes of a value.
public enum ImageFormat: String, Sendable, Hashable {
  case png, jpeg, gif, webp, heic, avif, tiff, bmp

  /// The number of bytes that are examined.
  package static let headByteCount = 16

  /// Recognises the format of data that begins with `head`; `nil` for anything else.
  package init?(head: some Collection<UInt8>) {
    let head = Array(head.prefix(ImageFormat.headByteCount))
    func has(_ text: String, at offset: Int) -> Bool {
      head.dropFirst(offset).starts(with: text.utf8)
    }
    if head.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
      self = .png
    } else if head.starts(with: [0xff, 0xd8, 0xff]) {
      self = .jpeg
    } else if has("GIF87a", at: 0) || has("GIF89a", at: 0) {
      self = .gif
    } else if has("RIFF", at: 0), has("WEBP", at: 8) {
      self = .webp
    } else if has("ftyp", at: 4),
      ["heic", "heix", "mif1", "hevc"].contains(where: { has($0, at: 8) })
    {
      self = .heic
    } else if has("ftyp", at: 4), has("avif", at: 8) || has("avis", at: 8) {
      self = .avif
    } else if head.starts(with: [0x49, 0x49, 0x2a, 0]) || head.starts(with: [0x4d, 0x4d, 0, 0x2a]) {
      self = .tiff
    } else if has("BM", at: 0), head.dropFirst(6).starts(with: [0, 0, 0, 0]) {
      self = .bmp
    } else {
      return nil
    }
  }

  /// The common name of the format.
  public var name: String {
    switch self {
    case .png, .jpeg, .gif, .heic, .avif, .tiff, .bmp: rawValue.uppercased()
    case .webp: "WebP"
    }
  }

  /// The file name extension.
  package var fileExtension: String { self == .jpeg ? "jpg" : rawValue }

  /// The media type, such as `image/png`.
  public var mediaType: String { "image/" + rawValue }
}
