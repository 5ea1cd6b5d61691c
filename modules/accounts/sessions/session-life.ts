import { plus, type Timestamp } from '@keelson/core';

// Session lifetimes.

/** The cookie's own maximum age; the server ends sessions earlier. */
export const COOKIE_SECONDS = 24 * 3600;
const ABSOLUTE = { hours: 24 } as const;
const EMPLOYEE_IDLE = { hours: 12 } as const;
const TECHNICIAN_IDLE = { hours: 8 } as const;
const TOKENS = { days: 30 } as const;
const REFRESH_IDLE = { days: 14 } as const;

interface Used {
  readonly created_at: Timestamp;
  readonly last_used_at: Timestamp;
}

export const employeeCookieEnds = (session: Used): Timestamp =>
  earlier(plus(session.created_at, ABSOLUTE), plus(session.last_used_at, EMPLOYEE_IDLE));

export const technicianCookieEnds = (session: Used): Timestamp =>
  earlier(plus(session.created_at, ABSOLUTE), plus(session.last_used_at, TECHNICIAN_IDLE));

export const tokensEnd = (created_at: Timestamp): Timestamp => plus(created_at, TOKENS);

export const technicianSessionEnds = (created_at: Timestamp): Timestamp => plus(created_at, ABSOLUTE);

/** Returns when a refresh token expires, which each use postpones. */
export const refreshTokenEnds = (token: { created_at: Timestamp; used_at: Timestamp | null }): Timestamp =>
  plus(token.used_at ?? token.created_at, REFRESH_IDLE);

function earlier(a: Timestamp, b: Timestamp): Timestamp {
  return a < b ? a : b;
}
