import { invalid, type App } from '@keelson/core';

type Config = App['config'];

/** Letters, digits and the marks of a path and query: no backslash, no control character, nothing to decode twice. */
const PLAIN = /^[\w./?&=~,:;@!*'()+$-]*$/;

/**
 * Where a browser goes after a sign-in with a provider: a page of our own, as a path or with our base URL in front,
 * or exactly one of `OAUTH_REDIRECT_URIS`; without a wish the first of these, or the portal.
 * @throws invalid() for anything else
 */
export function requireRedirect(config: Config, wanted: string | undefined): string {
  if (wanted === undefined) return usualRedirect(config);
  if (config.oauthRedirectUris.includes(wanted)) return wanted;
  const { origin } = new URL(config.baseUrl);
  const path = wanted.startsWith(`${origin}/`) ? wanted.slice(origin.length) : wanted;
  // A second slash would name another host; percent signs hide one.
  if (!path.startsWith('/') || path.startsWith('//') || !PLAIN.test(path)) {
    throw invalid('redirect_uri must be a page of this host or one that is configured');
  }
  return origin + path;
}

/** Where people go who did not say. */
export function usualRedirect({ baseUrl, oauthRedirectUris }: Config): string {
  return oauthRedirectUris[0] ?? `${baseUrl}/helpdesk`;
}

/** The same page, told what went wrong in the words of OAuth (RFC 6749, 4.1.2.1). */
export function withError(redirect: string, error: string): string {
  const url = new URL(redirect);
  url.searchParams.set('error', error);
  return url.href;
}
