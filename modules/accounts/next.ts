// The page a technician returns to after signing in: `/admin/login?next=/admin/tickets/7`. Each step passes it on.

/** The console. */
export const HOME = '/admin';

/** Where technicians sign in. */
export const SIGN_IN = '/admin/login';

/** A console path without characters that a browser could read as another host. */
const OWN = /^\/admin(?:[/?#][\x21-\x5b\x5d-\x7e]*)?$/;

/** Returns the requested page if it is in the console, otherwise the console's home. */
export function nextPage(wanted: string | undefined): string {
  return wanted !== undefined && OWN.test(wanted) ? wanted : HOME;
}

/** Returns the URL of a sign-in step, including the page to return to and other parameters. */
export function withNext(
  step: string,
  next: string,
  others: { readonly error?: string; readonly provider?: string } = {},
): string {
  const query = new URLSearchParams({ ...others, ...(next !== HOME && { next }) });
  return query.size === 0 ? step : `${step}?${query}`;
}
