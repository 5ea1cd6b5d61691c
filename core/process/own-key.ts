// Whether the master key is the one that the database's secrets were sealed with. Another one would start, refuse every API
// key and every stored secret, and take the activity log for one that was tampered with.
import { z } from 'zod';
import { ActivityLine } from '../log/activity.ts';
import type { App } from '../plugin/app.ts';
import { setting } from '../plugin/settings.ts';

/** Empty until the first start. */
const KnownKey = setting('core.master_key', z.object({ fingerprint: z.string() }), { fingerprint: '' });

export interface KeyOptions {
  /** The key was made just now, because there was no file. */
  readonly made: boolean;
  /** The old key is lost: this one is the database's from now on. */
  readonly accept: boolean;
}

/**
 * Checks the master key against the database, which remembers its fingerprint from the first start on.
 * @throws Error in one sentence when it is another key, or a new one beside data that an older one has sealed
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
  const what = made ? `There is no master key at ${file}` : `${file} is not the master key of this database`;
  return `${what}, whose secrets and API keys another one has sealed: put the right file there (MASTER_KEY_FILE). If it is lost, "node cli.js new-master-key" goes on without them.`;
}
