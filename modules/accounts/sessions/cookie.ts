import type { App } from '@keelson/core';
import type { Credentials } from '@keelson/core/system';

/** The cookie names. `COOKIE_PREFIX` may add `__Host-`. */
export const employeeCookie = ({ config }: App) => `${config.cookiePrefix}HELPDESK_${config.tenantSlug}`;
export const technicianCookie = ({ config }: App) => `${config.cookiePrefix}SERVICE_${config.tenantSlug}`;

/** The cookie of people who have signed in with this browser (SF-08). */
export const deviceCookie = ({ config }: App) => `${config.cookiePrefix}DEVICE_${config.tenantSlug}`;

export const COOKIE_PATH = '/';

/** Returns the values of all cookies of this name. With several, one may have been planted. */
export function cookieValues(from: Credentials, name: string): readonly string[] {
  const header = from.header('cookie');
  if (header === undefined || !header.includes(`${name}=`)) return [];
  return header
    .split(';')
    .map((each) => each.trim())
    .filter((each) => each.startsWith(`${name}=`))
    .map((each) => each.slice(name.length + 1))
    .filter((each) => each !== '');
}
