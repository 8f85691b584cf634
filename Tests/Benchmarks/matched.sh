#!/usr/bin/env bash
# Makes two databases of the same customers and orders, or compares two of them by hand.
#   matched.sh make FOLDER ORDERS    a.db, same.db with the same keys, moved.db with others, in another order
#   matched.sh compare A B           the rows that only one of them has, keys left aside
set -euo pipefail
case $1 in
  make)
    sqlite3 "$2/a.db" "
      CREATE TABLE customer (id INTEGER PRIMARY KEY, email TEXT NOT NULL UNIQUE, name TEXT);
      CREATE TABLE purchase (id INTEGER PRIMARY KEY, customer INTEGER NOT NULL REFERENCES customer (id), day TEXT, amount REAL, note TEXT);
      CREATE INDEX purchase_customer ON purchase (customer);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $3 / 4)
      INSERT INTO customer SELECT i, 'c' || i || '@example.org', 'Customer ' || i FROM n;
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $3)
      INSERT INTO purchase SELECT i, 1 + i * 7919 % ($3 / 4), date('2020-01-01', i % 2000 || ' days'), i % 9973 / 7.0, 'note ' || i FROM n"
    cp "$2/a.db" "$2/same.db"
    sqlite3 "$2/moved.db" "
      CREATE TABLE customer (id INTEGER PRIMARY KEY, email TEXT NOT NULL UNIQUE, name TEXT);
      CREATE TABLE purchase (id INTEGER PRIMARY KEY, customer INTEGER NOT NULL REFERENCES customer (id), day TEXT, amount REAL, note TEXT);
      CREATE INDEX purchase_customer ON purchase (customer);
      ATTACH '$2/a.db' AS a;
      INSERT INTO customer SELECT 10000000 + ($3 / 4) - id, email, name FROM a.customer;
      INSERT INTO purchase SELECT 20000000 + $3 - id, 10000000 + ($3 / 4) - customer, day, amount, note FROM a.purchase"
    ;;
  compare)
    sqlite3 -readonly "$2" "
      ATTACH 'file:$3?mode=ro' AS b;
      CREATE TEMP VIEW mine AS SELECT email, day, amount, note FROM main.purchase AS p JOIN main.customer AS c ON c.id = p.customer;
      CREATE TEMP VIEW theirs AS SELECT email, day, amount, note FROM b.purchase AS p JOIN b.customer AS c ON c.id = p.customer;
      SELECT count(*) FROM (SELECT * FROM mine EXCEPT SELECT * FROM theirs);
      SELECT count(*) FROM (SELECT * FROM theirs EXCEPT SELECT * FROM mine);
      SELECT count(*) FROM (SELECT email, name FROM main.customer EXCEPT SELECT email, name FROM b.customer);
      SELECT count(*) FROM (SELECT email, name FROM b.customer EXCEPT SELECT email, name FROM main.customer)"
    ;;
  *) exit 64 ;;
esac
