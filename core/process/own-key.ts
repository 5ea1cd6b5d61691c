// Checks that the master key is the one that sealed the database's secrets. With another key the process would start,
// reject every API key and stored secret, and report the activity log as tampered with.
import { z } from 'zod';
import { ActivityLine } from '../log/activity.ts';
import type { App } from '../plugin/app.ts';
import { setting } from '../plugin/settings.ts';

/** Empty until the first start. */
const KnownKey = setting('core.master_key', z.object({ fingerprint: z.string() }), { fingerprint: '' });

export interface KeyOptions {
  /** The key was just created because the file was missing. */
  readonly made: boolean;
  /** The old key is lost: adopt this one for the database. */
  readonly accept: boolean;
}

/**
 * Checks the master key against the fingerprint stored in the database at first start.
 * @throws Error in one sentence for a different key, or a new key beside data sealed with an older one
 */
export async function requireOwnKey({ app, made, accept }: { readonly app: App } & KeyOptions): Promise<void> {
  const { config, database, vault } = app;
  const fingerprint = vault.derive('fingerprint', 16).toString('hex');
  const stored = (await app.settings.get({ db: database }, KnownKey)).fingerprint;
  if (stored === fingerprint) return;
  const wrong = stored !== '' || (made && (await database.count(ActivityLine)) > 0);
  if (wrong && !accept) throw new Error(sentence(config.masterKeyFile, made));
  await app.system().transaction((ctx) => app.settings.set(ctx, KnownKey, { fingerprint }));
}

function sentence(file: string, made: boolean): string {
  const what = made ? `No master key found at ${file}` : `${file} is not the master key of this database`;
  return `${what}, whose secrets and API keys were sealed with a different one: put the right file there (MASTER_KEY_FILE). If it is lost, "node cli.js new-master-key" continues without them.`;
}
