// Location of this app: staff console under /admin, or customer portal under /helpdesk.

export interface Place {
  readonly id: 'console' | 'portal';
  /** URL prefix of pages. */
  readonly base: '/admin' | '/helpdesk';
  /** URL prefix of API operations. */
  readonly root: string;
  readonly signIn: string;
  /** Operation that returns the signed-in person and what they may see. */
  readonly start: string;
  /** Live change stream. */
  readonly live: string;
}

const consolePlace: Place = {
  id: 'console',
  base: '/admin',
  root: '/admin/api/v1',
  signIn: '/admin/login',
  start: 'GET /console.php',
  live: '/admin/api/v1/live.php',
};

const portalPlace: Place = {
  id: 'portal',
  base: '/helpdesk',
  root: '/helpdesk/api/v1',
  signIn: '/helpdesk/sign-in',
  start: 'GET /portal',
  live: '/helpdesk/api/v1/live',
};

export const place: Place = location.pathname.startsWith('/helpdesk') ? portalPlace : consolePlace;

let left = -Infinity;

/** Redirects to the sign-in page, which returns to the current page. */
export function leaveForSignIn(): void {
  // A failed sign-in also returns 401; a redirect would discard the error and the input.
  if (location.pathname === place.signIn) return;
  // Several requests may fail at once; another redirect would cancel the first.
  if (performance.now() - left < 5000) return;
  left = performance.now();
  const here = location.pathname + location.search;
  location.assign(here === place.base ? place.signIn : `${place.signIn}?next=${encodeURIComponent(here)}`);
}
