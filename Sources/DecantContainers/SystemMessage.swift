internal import DecantSystem

/// Returns what the system says of an `errno`, in a buffer of its own: `strerror` shares one among threads.
func systemMessage(_ code: Int32) -> String {
  var text = [CChar](repeating: 0, count: 256)
  // Which of the two functions of this name the headers give, they end the text with a zero.
  guard strerror_r(code, &text, text.count) == 0 else { return "error \(code)" }
  return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}
