import Decant

/// Adds a row to a plain database, and returns its key.
func addPurchase(of customer: Int64, _ code: String, to store: Store) throws -> ObjectID<StoreRecord> {
  try store.write { block in
    try block.insert("purchase") { ($0["code"], $0["customer_id"]) = (.text(code), .integer(customer)) }
  }
}
