-- Copies the companies, people, tickets and replies of the database `keelson` into FreeScout's own tables: one mailbox, and
-- companies as a text of the customer, which is what FreeScout has. Run `artisan freescout:update-folder-counters` next.
INSERT INTO mailboxes (id, name, email, created_at, updated_at) VALUES (1, 'Support', 'support@provider.example', now(), now());
INSERT INTO folders (id, mailbox_id, user_id, type) VALUES (1, 1, NULL, 1), (2, 1, NULL, 30), (3, 1, NULL, 40),
  (4, 1, NULL, 60), (5, 1, NULL, 70), (6, 1, NULL, 80);
INSERT INTO users (id, first_name, last_name, email, password, role)
  SELECT user_id + 1, substring_index(name, ' ', 1), substring_index(name, ' ', -1), email, '', 1
  FROM keelson.technician WHERE user_id <= 10;
INSERT INTO mailbox_user (mailbox_id, user_id) SELECT 1, id FROM users;
INSERT INTO folders (mailbox_id, user_id, type) SELECT 1, id, t.type FROM users, (SELECT 20 AS type UNION SELECT 25) t;
INSERT INTO customers (id, first_name, last_name, company, created_at, updated_at)
  SELECT employee_number, first_name, last_name, customer, e.created_at, e.created_at
  FROM keelson.employee e JOIN keelson.company USING (company_number);
INSERT INTO emails (customer_id, email) SELECT employee_number, email FROM keelson.employee;
INSERT INTO conversations (id, number, threads_count, type, folder_id, status, state, subject, customer_email, preview,
    mailbox_id, user_id, customer_id, created_by_customer_id, source_via, source_type, closed_at, user_updated_at,
    last_reply_at, last_reply_from, read_by_user, created_at, updated_at)
  SELECT t.ticket_id, ticket_number, 2, 1, CASE WHEN t.status = 'closed' THEN 4 WHEN assigned_to IS NULL THEN 1 ELSE 3 END,
    CASE t.status WHEN 'closed' THEN 3 WHEN 'on_hold' THEN 2 ELSE 1 END, 2, subject, e.email, left(description, 200),
    1, assigned_to + 1, employee_number, employee_number, 1, 1, t.closed_at, t.updated_at, t.updated_at, 2, 1,
    t.created_at, t.updated_at
  FROM keelson.ticket t JOIN keelson.employee e ON e.employee_number = coalesce(requester_employee_number, 1)
  WHERE ticket_number <= 101000 ORDER BY ticket_id;
INSERT INTO threads (id, conversation_id, type, status, state, body, `from`, source_via, source_type, customer_id,
    created_by_customer_id, first, created_at, updated_at)
  SELECT id, id, 1, 1, 2, description, customer_email, 1, 1, customer_id, customer_id, 1, c.created_at, c.created_at
  FROM conversations c JOIN keelson.ticket ON ticket_id = id ORDER BY id;
INSERT INTO threads (conversation_id, user_id, type, status, state, body, source_via, source_type, customer_id,
    created_by_user_id, created_at, updated_at)
  SELECT c.id, author_id + 1, 2, 1, 2, comment, 2, 2, customer_id, author_id + 1, t.created_at, t.created_at
  FROM keelson.ticket_comment t JOIN conversations c ON c.id = ticket_id ORDER BY comment_id;
ANALYZE TABLE conversations, threads, customers;
