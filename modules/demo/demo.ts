// npm run demo: builds a service provider with realistic data, and serves it until stopped.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App, CrmKey, Row } from '@keelson/core';
import { checkPort, onSignals, type Shell } from '@keelson/core/system';
import { createApiKey, keyPermissions, type ApiKey, type KeyType } from '@keelson/modules/accounts';
import { Branding } from '@keelson/modules/system';
import { addCustomer, addStaff, type Customer, type Staff } from './people.ts';
import { makeRoom, placeOf } from './place.ts';
import { playAssets } from './play/play-assets.ts';
import { playBackup } from './play/play-backup.ts';
import { playBilling } from './play/play-billing.ts';
import { playChats } from './play/play-chat.ts';
import { playCrm } from './play/play-crm.ts';
import { playDispatch } from './play/play-dispatch.ts';
import { playFindings } from './play/play-findings.ts';
import { playInventory } from './play/play-inventory.ts';
import { playKb } from './play/play-kb.ts';
import { playLevels } from './play/play-levels.ts';
import { playMail } from './play/play-mail.ts';
import { playMonitoring } from './play/play-monitoring.ts';
import { playOutages } from './play/play-outages.ts';
import { playPlanned } from './play/play-planned.ts';
import { playProjects } from './play/play-projects.ts';
import { playSales } from './play/play-sales.ts';
import { playTeams } from './play/play-teams.ts';
import { playWorkflows } from './play/play-workflows.ts';
import { playStory } from './play/play.ts';
import { DemoMade } from './settings.ts';
import { demoFile, instructions, type DemoFile } from './sign-ins.ts';
import brightline from './stories/story-brightline.ts';
import northwind from './stories/story-northwind.ts';

/** Builds a new demo, serves it, and prints how to sign in. */
export async function runDemo(
  shell: Shell,
  options: { readonly fresh: boolean; readonly keep?: boolean },
): Promise<void> {
  // Create it before the previous demo, which may still be running, is deleted.
  await checkPort(shell.config);
  const path = join(shell.config.dataDir, 'demo.json');
  if (options.keep && existsSync(path)) return goOn(shell, path);
  // The old file is outdated, and scripts wait for the new one to appear.
  rmSync(path, { force: true });
  const config = await makeRoom(shell.config, options);
  const file = demoFile({
    base_url: config.baseUrl,
    ...(await madeIn(await shell.open({ config, migrate: 'empty' }))),
  });
  const running = await shell.start({ config });
  onSignals(running.close);
  mkdirSync(shell.config.dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(path, `${JSON.stringify(file, undefined, 2)}\n`, { mode: 0o600 });
  for (const line of instructions(file, path)) shell.print(line);
}

/** Restarts the previous demo with its existing sign-ins. */
async function goOn(shell: Shell, path: string): Promise<void> {
  const config = placeOf(shell.config);
  const running = await shell.start({ config, migrate: 'always' });
  onSignals(running.close);
  const file = JSON.parse(readFileSync(path, 'utf8')) as DemoFile;
  for (const line of instructions({ ...file, base_url: config.baseUrl }, path)) shell.print(line);
}

async function madeIn(app: App): Promise<DemoParts> {
  try {
    return await fillDemo(app);
  } finally {
    await app.close();
  }
}

/** The parts of a demo that the sign-in instructions need. */
export type DemoParts = Omit<Parameters<typeof demoFile>[0], 'base_url'>;

/** Fills an empty installation with a provider's data: people, tickets, assets, invoices, projects. */
export async function fillDemo(app: App): Promise<DemoParts> {
  await app.system().transaction(async (ctx) => {
    await app.settings.set(ctx, DemoMade, ctx.now);
    await app.settings.change(ctx, Branding, (before) => ({ ...before, company_name: 'Harbour IT' }));
  });
  const staff = await addStaff(app);
  await playLevels(app, staff);
  await playTeams(app, staff);
  const customers: Customer[] = [];
  for (const story of [northwind, brightline]) {
    const customer = await addCustomer(app, story);
    await playStory(app, { staff, customer, tickets: story.tickets });
    await playAssets(app, { staff, customer, net: 20 + customers.length });
    customers.push(customer);
  }
  const keys = await addKeys(app, staff);
  await playCrm(app, { staff, website: keys.website, customers });
  const [customer] = customers;
  if (customer) await playOutages(app, { staff, customer });
  if (customer) await playMonitoring(app, { staff, customer });
  if (customer) await playInventory(app, { staff, customer });
  if (customer) await playBilling(app, { staff, customer });
  if (customer) await playProjects(app, { staff, customer });
  if (customer) await playBackup(app, { staff, customer });
  if (customer) await playSales(app, { staff, customer });
  await playKb(app, staff);
  if (customer) await playFindings(app, { staff, customer });
  if (customer) await playChats(app, customer);
  await playPlanned(
    app,
    staff,
    customers.map((each) => each.company.company_number),
  );
  if (customer) await playDispatch(app, staff, customer);
  await playWorkflows(app, staff);
  await playMail(app, staff);
  return { staff, customers, keys };
}

async function addKeys(app: App, { administrator }: Staff) {
  const add = async (type: KeyType, name: string) => {
    const permissions = keyPermissions(app, type);
    const grantor = { granted_by_user_id: administrator.user_id, granted_by_key_id: null };
    const input = { type, name, permissions, grantor };
    return app.system().transaction((ctx) => createApiKey(ctx, input));
  };
  const forms = await add('crm_secret', 'Website forms');
  return {
    admin: (await add('admin', 'Reporting')).api_key,
    secret: forms.api_key,
    live: (await add('crm_public_live', 'Website widget')).api_key,
    test: (await add('crm_public_test', 'Website widget, test')).api_key,
    website: websiteKey(forms.row),
  };
}

/** Returns the actor for requests with the website's key. */
function websiteKey({ key_id, name, permissions, rate_limit_per_minute }: Row<typeof ApiKey>): CrmKey {
  const type = 'crm_secret';
  return {
    kind: 'key',
    key_id,
    name,
    type,
    permissions: new Set(permissions),
    role: 'administrator',
    rate_limit_per_minute,
    allowed_origins: [],
  };
}
