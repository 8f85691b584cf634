public import DecantBase

/// A Swift type for attribute values.
public protocol FieldValue: Sendable {
  /// The value in the form in which a store holds it.
  var storeValue: StoreValue { get }

  /// Converts a store's value; `nil` if it is null, of another type or out of range.
  init?(_ storeValue: StoreValue)
}

extension FieldValue where Self: FixedWidthInteger {
  public init?(_ storeValue: StoreValue) {
    guard case .integer(let value) = storeValue else { return nil }
    self.init(exactly: value)
  }
}

extension Int64: FieldValue { public var storeValue: StoreValue { .integer(self) } }
extension Int32: FieldValue { public var storeValue: StoreValue { .integer(Int64(self)) } }
extension Int16: FieldValue { public var storeValue: StoreValue { .integer(Int64(self)) } }
extension Int: FieldValue { public var storeValue: StoreValue { .integer(Int64(self)) } }

extension Bool: FieldValue {
  public var storeValue: StoreValue { .integer(self ? 1 : 0) }

  public init?(_ storeValue: StoreValue) {
    guard let value = Int64(storeValue), value == 0 || value == 1 else { return nil }
    self = value == 1
  }
}

extension Double: FieldValue {
  public var storeValue: StoreValue { .double(self) }

  public init?(_ storeValue: StoreValue) {
    switch storeValue {
    case .double(let value), .date(let value): self = value
    case .integer(let value): self = Double(value)
    case .null, .decimal, .text, .uuid, .uri, .binary: return nil
    }
  }
}

extension Float: FieldValue {
  public var storeValue: StoreValue { .double(Double(self)) }

  public init?(_ storeValue: StoreValue) {
    guard let value = Double(storeValue) else { return nil }
    self = Float(value)
  }
}

extension String: FieldValue {
  public var storeValue: StoreValue { .text(self) }

  public init?(_ storeValue: StoreValue) {
    switch storeValue {
    case .text(let text), .uri(let text), .decimal(let text): self = text
    case .null, .integer, .double, .date, .uuid, .binary: return nil
    }
  }
}

extension [UInt8]: FieldValue {
  public var storeValue: StoreValue { .binary(self) }

  public init?(_ storeValue: StoreValue) {
    switch storeValue {
    case .binary(let bytes), .uuid(let bytes): self = bytes
    case .null, .integer, .double, .date, .decimal, .text, .uri: return nil
    }
  }
}

extension StoreValue: FieldValue {
  public var storeValue: StoreValue { self }

  public init?(_ storeValue: StoreValue) { self = storeValue }
}

extension ObjectID: FieldValue {
  public var storeValue: StoreValue { .integer(key) }

  public init?(_ storeValue: StoreValue) {
    guard let key = Int64(storeValue) else { return nil }
    self.init(key)
  }
}

extension Optional: FieldValue where Wrapped: FieldValue {
  public var storeValue: StoreValue { self?.storeValue ?? .null }

  public init?(_ storeValue: StoreValue) { self = storeValue == .null ? .none : Wrapped(storeValue) }
}

/// A date as a store holds it: seconds since 2001-01-01 00:00 UTC.
public struct StoreDate: FieldValue, Hashable, Comparable {
  /// Seconds since 2001-01-01 00:00 UTC.
  public var seconds: Double

  public init(_ seconds: Double) { self.seconds = seconds }

  /// The current date and time.
  public static var now: StoreDate {
    let (seconds, nanoseconds) = Files.now.quotientAndRemainder(dividingBy: 1_000_000_000)
    return StoreDate(Double(seconds - 978_307_200) + Double(nanoseconds) / 1e9)
  }

  public var storeValue: StoreValue { .date(seconds) }

  public init?(_ storeValue: StoreValue) {
    guard let seconds = Double(storeValue) else { return nil }
    self.init(seconds)
  }

  public static func < (one: StoreDate, other: StoreDate) -> Bool { one.seconds < other.seconds }
}

/// A UUID as a store holds it: sixteen bytes.
public struct StoreUUID: FieldValue, Hashable {
  /// Sixteen bytes, in the order of the printed form.
  public var bytes: [UInt8]

  /// Creates a random UUID.
  public init() {
    bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
    // Version 4, as defined in RFC 9562.
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
  }

  /// Creates a UUID from sixteen bytes; `nil` for any other number of bytes.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  public var storeValue: StoreValue { .uuid(bytes) }

  public init?(_ storeValue: StoreValue) {
    guard let bytes = [UInt8](storeValue) else { return nil }
    self.init(bytes)
  }
}
