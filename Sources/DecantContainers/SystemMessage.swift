internal import DecantSystem

/// Returns the system's text for an `errno`, in its own buffer: `strerror` shares one between threads.
func systemMessage(_ code: Int32) -> String {
  var text = [CChar](repeating: 0, count: 256)
  // Both variants of this function that headers may declare end the text with a zero.
  guard strerror_r(code, &text, text.count) == 0 else { return "error \(code)" }
  return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}
