-- Rows for Roundcube's own schema.
PRAGMA foreign_keys = ON;
WITH n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 20)
INSERT INTO users (username, mail_host, created, preferences) SELECT 'cook' || i, 'localhost', datetime(1e9 + i, 'unixepoch'), 'a:0:{}' FROM n;
INSERT INTO identities (user_id, changed, name, email, signature) SELECT user_id, created, username, username || '@example.org', 'Grüße' FROM users;
INSERT INTO contacts (user_id, changed, name, email, vcard) SELECT u.user_id, u.created, v.username, v.username || '@example.org', 'BEGIN:VCARD' FROM users AS u JOIN users AS v ON u.user_id <> v.user_id AND v.user_id < 8;
INSERT INTO contactgroups (user_id, name) SELECT user_id, 'Kitchen ' || user_id FROM users;
INSERT INTO contactgroupmembers (contactgroup_id, contact_id, created) SELECT g.contactgroup_id, c.contact_id, c.changed FROM contactgroups AS g JOIN contacts AS c USING (user_id) WHERE c.contact_id % 3 = 0;
INSERT INTO responses (user_id, name, data, changed) SELECT user_id, 'Thanks', 'Thank you', created FROM users;
INSERT INTO collected_addresses (user_id, changed, name, email, type) SELECT user_id, created, 'x', username, 1 FROM users;
DELETE FROM users WHERE user_id IN (3, 20);
