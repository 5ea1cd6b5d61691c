// Implements the core commands. commands.ts declares them and loads this file when one of them runs.
import { schemaDrift } from '@keelson/database/migration/migrate.ts';
import { messageOf } from '@keelson/kit/message-of.ts';
import { checkLog } from '@keelson/log/check-log.ts';
import type { Config } from '../../../config/config.ts';
import { describeSurface } from '../../http/openapi/openapi.ts';
import { surfaces } from '../../http/routing/routes.ts';
import type { App } from '../../plugin/app.ts';
import type { CommandInput, Shell } from '../../plugin/declaration/command.ts';
import { greetings } from '../../plugin/load/lifecycle.ts';
import { loadInstallation, sentences } from '../../plugin/load/load.ts';
import { countSearchable } from '../../search/indexing/reindex.ts';
import { KnownKey } from '../database/own-key.ts';
import { sealSecret } from '../database/retention.ts';
import { runsSeveral, serveWithSeveral } from '../run.ts';
import { onSignals } from '../signals.ts';
import { pageFaults } from './build-pages.ts';

export async function startServer({ tenancy, start, print }: Shell, { only }: CommandInput): Promise<void> {
  if (only !== undefined && only !== 'web' && only !== 'jobs') throw new Error('--only must be web or jobs');
  // Printed, not logged, because the set-up link is a secret.
  const greet = async (app: App) => (await greetings(app)).forEach(print);
  if (runsSeveral(tenancy, { only })) await serveWithSeveral(tenancy);
  else onSignals((await start({ ...(only && { only }), greet })).close);
  for (const { config } of tenancy.tenants) print(`Keelson is listening on ${config.baseUrl}`);
}

export async function acceptMasterKey({ open, print }: Shell): Promise<void> {
  const { config } = await open({ acceptKey: true });
  print(
    `${config.masterKeyFile} is now the master key of this database. Create new API keys and re-enter stored secrets.`,
  );
}

export async function checkPlugins({ config, print }: Shell): Promise<void> {
  const { loaded, leftOut } = await loadInstallation(config.pluginsDir, { trial: {}, thorough: true });
  const routes = loaded.flatMap(({ plugin }) => plugin.routes ?? []);
  const faults = [...leftOut, ...(await pageFaults(loaded))];
  if (faults.length > 0) throw new Error(sentences(faults));
  print(`${loaded.length} plugins with ${routes.length} routes: no problems found`);
}

export async function migrate(shell: Shell): Promise<void> {
  await forEachTenant(shell, async (config, print) => {
    const app = await refuseDrift(await shell.open({ config, migrate: 'always' }));
    print('The database is up to date');
    if (app.leftOut.length > 0) print(`Left out:\n${sentences(app.leftOut)}`);
  });
}

/**
 * Runs the work for each tenant in turn; a failure does not stop the others. With several tenants, each line begins
 * with the tenant's slug.
 * @throws Error with the failures, one per line
 */
export async function forEachTenant(
  { tenancy: { tenants }, print }: Shell,
  work: (config: Config, print: (line: string) => void) => Promise<void>,
): Promise<void> {
  const failures: string[] = [];
  for (const { config } of tenants) {
    const whose = tenants.length > 1 ? `${config.tenantSlug}: ` : '';
    await work(config, (line) => print(whose + line)).catch((error: unknown) =>
      failures.push(whose + messageOf(error)),
    );
  }
  if (failures.length > 0) throw new Error(failures.join('\n'));
}

/**
 * Compares the tables with their declarations.
 * @throws Error naming the differences
 */
export async function refuseDrift<A extends Pick<App, 'leftOut' | 'database'>>(app: A): Promise<A> {
  // The tables of a left-out plugin may be half created.
  const leftOut = app.leftOut.map(({ plugin }) => `${plugin}_`);
  const tableOf = (statement: string) => /\b(?:TABLE|INTO|ON) [`"](?:temporary_)?(\w+)[`"]/i.exec(statement)?.[1] ?? '';
  const drift = (await schemaDrift(app.database)).filter(
    (each) => !leftOut.some((prefix) => tableOf(each).startsWith(prefix)),
  );
  if (drift.length > 0) throw new Error(`The database differs from the declared tables:\n${drift.join('\n')}`);
  return app;
}

export async function printOpenapi({ open, print }: Shell, { name = 'admin' }: CommandInput): Promise<void> {
  const surface = surfaces.find((each) => each.id === name && each.prefix !== '');
  if (!surface) throw new Error('The surface must be one of: helpdesk, admin, crm');
  print(JSON.stringify(describeSurface(await open(), surface), undefined, 2));
}

export async function checkActivityLog({ open, print }: Shell, { expect }: CommandInput): Promise<void> {
  const app = await open();
  const { takeover } = await app.settings.get(app.system(), KnownKey);
  const expected = typeof expect === 'string' ? expect : undefined;
  const report = await checkLog(app.database, sealSecret(app), { expected, takeover });
  if (report.faults.length > 0) throw new Error(`The activity log has been altered:\n${report.faults.join('\n')}`);
  print(
    `The activity log is intact: ${report.lines} lines in ${report.blocks} blocks, ${report.unsealed} not yet sealed`,
  );
  if (report.former > 0)
    print(`Not checked: blocks sealed with the master key that was lost: the oldest ${report.former}`);
  if (report.head) print(`Newest block: ${report.head}`);
}

export async function redeliver({ open, print }: Shell): Promise<void> {
  const app = await open();
  const count = await app.outbox.retryParked();
  print(count === 1 ? '1 delivery is due again' : `${count} deliveries are due again`);
}

export async function reindex({ open, print }: Shell): Promise<void> {
  const app = await open();
  const all = await countSearchable(app);
  const { Bar, Presets } = await import('cli-progress');
  const bar = new Bar({ noTTYOutput: true, format: '{bar} {value} of {total} records, {eta} s left' }, Presets.rect);
  const since = performance.now();
  bar.start(all, 0);
  try {
    await app.indexer.rebuild((n) => bar.increment(n));
  } finally {
    // Its timer would keep the process alive.
    bar.stop();
  }
  const perSecond = Math.round((all / Math.max(1, performance.now() - since)) * 1000);
  print(`${all} records indexed: ${perSecond} per second`);
}
