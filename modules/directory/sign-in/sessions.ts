// SQL that the accounts module uses to join the owner to a session.
import { sql, type Sql } from '@keelson/core';

/** The columns an employee's session reads from the employee `e` and the company `c`. */
export const employeeColumns = sql`e.employee_number, e.company_number, e.site_number, e.first_name, e.last_name, e.email,
  e.ismgr, e.it_privileges, e.can_create_tickets, e.can_view_billing, e.asset_edit, c.customer`;

/**
 * Joins `e` and `c` if the employee may use the session. Excludes inactive and deleted people, and sessions older than
 * the current password (`version` no longer matches) (A-03, A-16, D-18).
 */
export const joinEmployee = (employee: Sql, version: Sql): Sql => sql`
  JOIN employee e ON e.employee_number = ${employee} AND e.access_version = ${version}
    AND e.status = 'Active' AND e.deleted_at IS NULL
  JOIN company c ON c.company_number = e.company_number AND c.status = 'active' AND c.deleted_at IS NULL`;

/** The columns a technician's session reads from the technician `t`. */
export const technicianColumns = sql`t.user_id, t.name, t.email, t.role`;

/** Joins `t` if the technician may use the session. */
export const joinTechnician = (technician: Sql, version: Sql): Sql => sql`
  JOIN technician t ON t.user_id = ${technician} AND t.access_version = ${version}
    AND t.active = 1 AND t.deleted_at IS NULL`;

/** Lists for `IN`: deleted people, whose second factors and linked identities are deleted too (SF-21). */
export const deletedEmployees = sql`(SELECT employee_number FROM employee WHERE deleted_at IS NOT NULL)`;
export const deletedTechnicians = sql`(SELECT user_id FROM technician WHERE deleted_at IS NOT NULL)`;
