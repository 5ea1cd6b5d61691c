import { invalid, type App } from '@keelson/core';

type Config = App['config'];

/**
 * A path of this host with its query. A second slash would name another host, and so could backslashes, control
 * characters and percent signs in the path. After the question mark, percent signs encode characters of values.
 */
const OWN_PAGE = /^\/(?!\/)[\w./&=~,:;@!*'()+$-]*(?:\?(?:[\w./?&=~,:;@!*'()+$-]|%[\dA-Fa-f]{2})*)?$/;

/**
 * Returns where the browser goes after a sign-in with a provider: a page of this host, as a path or a URL, or
 * one of `OAUTH_REDIRECT_URIS`. Defaults to the first of these, or the portal.
 * @throws invalid() for anything else
 */
export function requireRedirect(config: Config, wanted: string | undefined): string {
  if (wanted === undefined) return defaultRedirect(config);
  if (config.oauthRedirectUris.includes(wanted)) return wanted;
  const { origin } = new URL(config.baseUrl);
  const path = wanted.startsWith(`${origin}/`) ? wanted.slice(origin.length) : wanted;
  if (!OWN_PAGE.test(path)) throw invalid('redirect_uri must be on this host or in the configured list');
  return origin + path;
}

/** Returns the URL of the requested portal page. @throws invalid() for anything but a path of this host */
export function requireNext({ baseUrl }: Config, next: string): string {
  if (!OWN_PAGE.test(next)) throw invalid('next must be a path on this host');
  return new URL(baseUrl).origin + next;
}

/** Returns the default redirect target. */
export function defaultRedirect({ baseUrl, oauthRedirectUris }: Config): string {
  return oauthRedirectUris[0] ?? `${baseUrl}/helpdesk`;
}

/** Returns the redirect URL with an OAuth error code (RFC 6749, 4.1.2.1). */
export function withError(redirect: string, error: string): string {
  const url = new URL(redirect);
  url.searchParams.set('error', error);
  return url.href;
}
