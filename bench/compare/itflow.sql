-- Copies the companies, people, tickets and replies of the database `keelson` into ITFlow's own tables.
INSERT INTO clients (client_id, client_name, client_type, client_currency_code, client_net_terms, client_created_at, client_accessed_at)
  SELECT company_number, customer, 'Customer', 'USD', 30, created_at, created_at FROM keelson.company;
INSERT INTO contacts (contact_id, contact_name, contact_email, contact_created_at, contact_client_id, contact_primary)
  SELECT employee_number, concat(first_name, ' ', last_name), email, created_at, company_number, it_privileges
  FROM keelson.employee;
INSERT INTO users (user_id, user_name, user_email, user_password, user_type, user_status, user_role_id, user_created_at)
  SELECT user_id + 1, name, email, '', 1, 1, 3, created_at FROM keelson.technician WHERE user_id <= 10;
INSERT INTO user_settings (user_id) SELECT user_id + 1 FROM keelson.technician WHERE user_id <= 10;
UPDATE user_settings SET user_config_records_per_page = 25;
INSERT INTO tickets (ticket_id, ticket_prefix, ticket_number, ticket_source, ticket_subject, ticket_details,
    ticket_priority, ticket_status, ticket_created_at, ticket_updated_at, ticket_resolved_at, ticket_closed_at,
    ticket_first_response_at, ticket_created_by, ticket_assigned_to, ticket_client_id, ticket_contact_id)
  SELECT ticket_id, 'TCK-', ticket_number, 'Portal', subject, description,
    elt(priority, 'Urgent', 'High', 'Medium', 'Low', 'Low'),
    CASE status WHEN 'closed' THEN 5 WHEN 'on_hold' THEN 3 WHEN 'open' THEN 1 ELSE 2 END,
    created_at, updated_at, closed_at, closed_at, updated_at, 1, coalesce(assigned_to + 1, 0), company_number,
    coalesce(requester_employee_number, 0)
  FROM keelson.ticket WHERE ticket_number <= 101000 ORDER BY ticket_id;
INSERT INTO ticket_replies (ticket_reply, ticket_reply_type, ticket_reply_created_at, ticket_reply_by, ticket_reply_ticket_id)
  SELECT comment, 'Public', created_at, author_id + 1, ticket_id FROM keelson.ticket_comment ORDER BY comment_id;
UPDATE settings SET config_ticket_prefix = 'TCK-', config_ticket_next_number = 200000;
ANALYZE TABLE clients, contacts, tickets, ticket_replies;
