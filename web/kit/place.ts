// Where this page stands: the staff console below /admin, or the customers' portal below /helpdesk.

export interface Place {
  readonly id: 'console' | 'portal';
  /** Addresses of pages start with it. */
  readonly base: '/admin' | '/helpdesk';
  /** Operations of its interface start with it. */
  readonly root: string;
  readonly signIn: string;
  /** The operation that says who is here and what they may see. */
  readonly start: string;
  /** The stream of changes. */
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

/** Leaves for the sign-in page, which comes back to where the person is now. */
export function leaveForSignIn(): void {
  // Signing in itself is refused with 401: loading its page anew would lose the reason and what was typed.
  if (location.pathname === place.signIn) return;
  // Several requests are refused at once: each would start the same way anew and end the one before.
  if (performance.now() - left < 5000) return;
  left = performance.now();
  const here = location.pathname + location.search;
  location.assign(here === place.base ? place.signIn : `${place.signIn}?next=${encodeURIComponent(here)}`);
}
