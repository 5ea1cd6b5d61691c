-- Completes what Keelson's own filler makes: a reply per ticket, and a word that occurs in the subject of 100 tickets.
INSERT INTO ticket_comment (ticket_id, comment, author_type, author_id, author_name, created_at)
  SELECT ticket_id, 'We have looked into it and will call you back this afternoon. Please leave the device switched on.',
    'technician', coalesce(assigned_to, 1), 'Support', updated_at
  FROM ticket ORDER BY ticket_id;
UPDATE ticket SET subject = concat(subject, ' zirconium') WHERE ticket_number % 1000 = 7;
ANALYZE TABLE ticket, ticket_comment;
