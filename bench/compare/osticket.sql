-- Copies the companies, people, tickets and replies of the database `keelson` into osTicket's own tables, and indexes
-- them for its search as osTicket does.
INSERT INTO ost_organization (id, name, created, updated)
  SELECT company_number + 100, customer, created_at, created_at FROM keelson.company;
INSERT INTO ost_organization__cdata (org_id, name) SELECT company_number + 100, customer FROM keelson.company;
INSERT INTO ost_user (id, org_id, default_email_id, name, created, updated)
  SELECT employee_number, company_number + 100, employee_number, concat(first_name, ' ', last_name), created_at, created_at
  FROM keelson.employee;
INSERT INTO ost_user_email (id, user_id, address) SELECT employee_number, employee_number, email FROM keelson.employee;
INSERT INTO ost_user__cdata (user_id) SELECT employee_number FROM keelson.employee;
INSERT INTO ost_staff (staff_id, dept_id, role_id, username, firstname, lastname, email, signature, isactive, created, updated, permissions)
  SELECT t.user_id + 1, s.dept_id, s.role_id, concat('technician', t.user_id), substring_index(t.name, ' ', 1),
    substring_index(t.name, ' ', -1), t.email, '', 1, now(), now(), s.permissions
  FROM keelson.technician t JOIN ost_staff s ON s.staff_id = 1 WHERE t.user_id <= 10;
INSERT INTO ost_ticket (ticket_id, number, user_id, status_id, dept_id, sla_id, topic_id, staff_id, source, isanswered,
    closed, lastupdate, created, updated)
  SELECT ticket_id, ticket_number, coalesce(requester_employee_number, 1), if(status = 'closed', 3, 1), 1, 1, 1,
    coalesce(assigned_to + 1, 0), 'Web', 1, closed_at, updated_at, created_at, updated_at
  FROM keelson.ticket WHERE ticket_number <= 101000 ORDER BY ticket_id;
INSERT INTO ost_ticket__cdata (ticket_id, subject, priority)
  SELECT ticket_id, subject, elt(priority, 4, 3, 2, 1, 1) FROM keelson.ticket WHERE ticket_number <= 101000;
INSERT INTO ost_form_entry (id, form_id, object_id, object_type, sort, created, updated)
  SELECT ticket_id + 1000000, 2, ticket_id, 'T', 0, created_at, created_at
  FROM keelson.ticket WHERE ticket_number <= 101000;
INSERT INTO ost_form_entry_values (entry_id, field_id, value, value_id)
  SELECT ticket_id + 1000000, 20, subject, NULL FROM keelson.ticket WHERE ticket_number <= 101000
  UNION ALL SELECT ticket_id + 1000000, 22, elt(priority, 'Emergency', 'High', 'Normal', 'Low', 'Low'),
    elt(priority, 4, 3, 2, 1, 1) FROM keelson.ticket WHERE ticket_number <= 101000;
INSERT INTO ost_thread (id, object_id, object_type, lastresponse, lastmessage, created)
  SELECT ticket_id, ticket_id, 'T', updated_at, created_at, created_at FROM keelson.ticket WHERE ticket_number <= 101000;
INSERT INTO ost_thread_entry (id, thread_id, user_id, type, poster, source, title, body, created, updated)
  SELECT ticket_id, ticket_id, coalesce(requester_employee_number, 1), 'M', 'Customer', 'Web', subject, description,
    created_at, created_at
  FROM keelson.ticket WHERE ticket_number <= 101000 ORDER BY ticket_id;
INSERT INTO ost_thread_entry (thread_id, staff_id, type, poster, body, created, updated)
  SELECT ticket_id, author_id + 1, 'R', author_name, comment, created_at, created_at FROM keelson.ticket_comment
  ORDER BY comment_id;
INSERT INTO ost__search (object_type, object_id, title, content)
  SELECT 'T', ticket_id, concat(ticket_number, ' ', subject), '' FROM keelson.ticket WHERE ticket_number <= 101000;
INSERT INTO ost__search (object_type, object_id, title, content) SELECT 'H', id, title, body FROM ost_thread_entry;
UPDATE ost_sequence SET next = 200000;
ANALYZE TABLE ost_ticket, ost_thread, ost_thread_entry, ost__search, ost_form_entry;
