// Collector tokens. Only a hash is stored; the token itself appears in one response only.
import { perApp, type App } from '@keelson/core';
import { keyHash, newKey, parseKey } from '@keelson/core/system';
import { Collector } from '../entities.ts';

const LONGEST = 64;
const pepper = perApp((app) => app.vault.derive('collector token pepper'));

export function newToken(app: App): { readonly token: string; readonly token_hash: string } {
  const token = newKey('col_');
  return { token, token_hash: keyHash(token, pepper(app)) };
}

/** Returns the collector of a token; null if unknown or revoked. */
export async function collectorByToken(app: App, token: string): Promise<Collector | null> {
  if (token.length > LONGEST || parseKey(token)?.prefix !== 'col_') return null;
  return app.database.findOneBy(Collector, { token_hash: keyHash(token, pepper(app)) });
}
