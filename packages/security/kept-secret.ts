// Secrets that stay stored when the settings around them change.

/**
 * Returns a stored secret, so that a form need not repeat it; undefined if the URL it goes to has moved to another host,
 * port or scheme: the secret was entered for the former one and is sent to no other.
 * @example `const kept = keptSecret(before.api_key, before.base_url, given.base_url);`
 */
export function keptSecret(secret: string, before: string, after: string): string | undefined {
  if (secret === '') return secret;
  const origin = URL.parse(before)?.origin;
  return origin !== undefined && origin === URL.parse(after)?.origin ? secret : undefined;
}
