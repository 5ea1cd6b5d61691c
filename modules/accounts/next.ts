// The page a technician returns to after signing in: `/admin/login?next=/admin/tickets/7`. Each step passes it on.

/** The console. */
export const HOME = '/admin';

/** A console path without characters that a browser could read as another host. */
const OWN = /^\/admin(?:[/?#][\x21-\x5b\x5d-\x7e]*)?$/;

/** Returns the requested page if it is in the console, otherwise the console's home. */
export function nextPage(wanted: string | undefined): string {
  return wanted !== undefined && OWN.test(wanted) ? wanted : HOME;
}

/** Returns the URL of a sign-in step, including the page to return to. */
export function withNext(step: string, next: string): string {
  return next === HOME ? step : `${step}?next=${encodeURIComponent(next)}`;
}
