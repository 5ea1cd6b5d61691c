// Where a technician's sign-in returns to: `/admin/login?next=/admin/tickets/7`. Each step hands it to the next one.

/** The console. */
export const HOME = '/admin';

/** A path of the console, with nothing that a browser could read as another host. */
const OWN = /^\/admin(?:[/?#][\x21-\x5b\x5d-\x7e]*)?$/;

/** The wanted page if it is one of our own; otherwise the console. */
export function nextPage(wanted: string | undefined): string {
  return wanted !== undefined && OWN.test(wanted) ? wanted : HOME;
}

/** The address of a step of the sign-in that knows where it returns to. */
export function withNext(step: string, next: string): string {
  return next === HOME ? step : `${step}?next=${encodeURIComponent(next)}`;
}
