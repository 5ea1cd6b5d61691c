// Checks that the master key is the one that sealed the database's secrets. With another key the process would start,
// reject every API key and stored secret, and report the activity log as tampered with.
import { Table } from '@keelson/database/schema/table.ts';
import { quoted, sql, type Sql } from '@keelson/database/statement/sql.ts';
import { hashOf, headOf, proofOf, takeoverOf } from '@keelson/log/activity-chain.ts';
import { ActivityLine } from '@keelson/log/activity.ts';
import { z } from 'zod';
import type { App } from '../../plugin/app.ts';
import { setting } from '../../plugin/setting/settings.ts';
import { sealSecret } from './retention.ts';
import { tablesOf } from './tables.ts';

/** Empty until the first start. */
export const KnownKey = setting(
  'core.master_key',
  z.object({
    fingerprint: z.string(),
    /** Proof of the newest block of the activity log when this key replaced a lost one. */
    takeover: z.string().default(''),
  }),
  { fingerprint: '', takeover: '' },
);

export interface KeyOptions {
  /** The key was just created because the file was missing. */
  readonly made: boolean;
  /** The old key is lost: adopt this one for the database. */
  readonly accept: boolean;
}

/**
 * Checks the master key against the fingerprint stored in the database at first start, or without one, against existing
 * sealed values.
 * @throws Error in one sentence if the key differs, or is new while the data was sealed with an older one
 */
export async function requireOwnKey({ app, made, accept }: { readonly app: App } & KeyOptions): Promise<void> {
  const { config, database, vault } = app;
  const fingerprint = vault.derive('fingerprint', 16).toString('hex');
  const stored = (await app.settings.get({ db: database }, KnownKey)).fingerprint;
  if (stored === fingerprint) return;
  const wrong = stored !== '' || (made && (await database.count(ActivityLine)) > 0) || (await isForeign(app));
  if (wrong && !accept) throw new Error(sentence(config.masterKeyFile, made));
  const head = wrong ? await headOf(database) : null;
  const takeover = head ? takeoverOf(sealSecret(app), head) : '';
  await app.system().transaction((ctx) => app.settings.set(ctx, KnownKey, { fingerprint, takeover }));
}

/** A database may have sealed values but no fingerprint; then the newest value must have been sealed with this key. */
async function isForeign(app: App): Promise<boolean> {
  const block = await headOf(app.database);
  if (!block) return isSealedElsewhere(app);
  const { digests, hash, forgotten } = block;
  const secret = sealSecret(app);
  return digests === null ? forgotten !== proofOf(secret, block) : hash !== hashOf(secret, { ...block, digests });
}

/**
 * Secrets are in hidden columns, and each envelope names its key: the database belongs to another key if it has
 * envelopes and none of them names this one.
 */
async function isSealedElsewhere({ database, plugins, vault }: App): Promise<boolean> {
  const prefix = keyPrefixOf(vault.seal('', 'key check'));
  let isSealed = false;
  for (const table of tablesOf(plugins)) {
    if (!(table instanceof Table)) continue;
    for (const column of secretsOf(table).map(ofName)) {
      const rows = await database.query<{ own: number }>(
        sql`SELECT MAX(CASE WHEN ${column} LIKE ${`${prefix}%`} THEN 1 ELSE 0 END) AS own
          FROM ${ofName(table.name)} WHERE ${column} LIKE 'v1.%' HAVING COUNT(*) > 0`,
      );
      if (rows.some(({ own }) => Number(own) === 1)) return false;
      isSealed ||= rows.length > 0;
    }
  }
  return isSealed;
}

const secretsOf = ({ columns }: Table): string[] =>
  Object.keys(columns).filter((each) => {
    const { hidden, kind = '' } = columns[each]?.options ?? {};
    return hidden && ['text', 'varchar'].includes(kind);
  });

/** Quote columns, because they may be named like SQL keywords. */
const ofName = (name: string): Sql => ({ text: quoted(name), params: [] });

const keyPrefixOf = (envelope: string): string => envelope.slice(0, envelope.lastIndexOf('.') + 1);

function sentence(file: string, made: boolean): string {
  const what = made ? `No master key found at ${file}` : `${file} is not the master key of this database`;
  return `${what}, whose secrets and API keys were sealed with a different one: put the right file there (MASTER_KEY_FILE). If it is lost, "node cli.js new-master-key" continues without them.`;
}
