-- Copies the companies, people, tickets and replies of the database `keelson` into the tables of the Strapi project.
-- Strapi finds no index for a sorted or filtered list by itself: these are the ones its lists here need.
ALTER TABLE tickets ADD KEY state_number (state, number), ADD KEY number (number), ADD KEY created (created_at);
INSERT INTO companies (id, document_id, name, created_at, updated_at, published_at)
  SELECT company_number, md5(concat('c', company_number)), customer, created_at, created_at, created_at FROM keelson.company;
INSERT INTO contacts (id, document_id, name, email, created_at, updated_at, published_at)
  SELECT employee_number, md5(concat('p', employee_number)), concat(first_name, ' ', last_name), email, created_at,
    created_at, created_at
  FROM keelson.employee;
INSERT INTO contacts_company_lnk (contact_id, company_id, contact_ord)
  SELECT employee_number, company_number, employee_number FROM keelson.employee;
INSERT INTO tickets (id, document_id, number, subject, description, state, priority, assignee, created_at, updated_at, published_at)
  SELECT ticket_id, md5(concat('t', ticket_id)), ticket_number, subject, description, status, priority, t.name,
    k.created_at, k.updated_at, k.created_at
  FROM keelson.ticket k LEFT JOIN keelson.technician t ON t.user_id = assigned_to
  WHERE ticket_number <= 101000 ORDER BY ticket_id;
INSERT INTO tickets_company_lnk (ticket_id, company_id, ticket_ord)
  SELECT ticket_id, company_number, ticket_id FROM keelson.ticket WHERE ticket_number <= 101000 ORDER BY ticket_id;
INSERT INTO tickets_contact_lnk (ticket_id, contact_id, ticket_ord)
  SELECT ticket_id, requester_employee_number, ticket_id FROM keelson.ticket
  WHERE ticket_number <= 101000 AND requester_employee_number IS NOT NULL ORDER BY ticket_id;
INSERT INTO replies (id, document_id, text, created_at, updated_at, published_at)
  SELECT comment_id, md5(concat('r', comment_id)), comment, created_at, created_at, created_at
  FROM keelson.ticket_comment ORDER BY comment_id;
INSERT INTO replies_ticket_lnk (reply_id, ticket_id, reply_ord)
  SELECT comment_id, ticket_id, 1 FROM keelson.ticket_comment ORDER BY comment_id;
ANALYZE TABLE companies, contacts, tickets, replies, tickets_company_lnk, tickets_contact_lnk, replies_ticket_lnk;
