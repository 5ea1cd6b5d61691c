// Start-up fails on a database sealed with another master key, and when the server cannot listen.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { sendMail, sql, type App } from '@keelson/core';
import { beginFactor, enableFactor } from '@keelson/modules/accounts';
import { createCompany, createTechnician } from '@keelson/modules/directory';
import { identityProviders, readProvider, wantedProvider } from '@keelson/modules/system';
import test, { type ExecutionContext } from 'ava';
import { generate } from 'otplib';
import { readConfig } from '../../config/config.ts';
import { checkActivityLog } from '../../core/process/command/command-runs.ts';
import { sealSecret } from '../../core/process/database/retention.ts';
import { openInstallation } from '../../core/process/main.ts';
import { requireSecondFactor } from '../../modules/accounts/factors/second-factor-check.ts';
import { PasswordReset } from '../../modules/accounts/mail-templates.ts';
import { readMailServer } from '../../modules/system/mail/mail-server.ts';
import { noMailServer, noProvider, StoredMailServer, StoredProviders } from '../../modules/system/settings.ts';
import { sealActivity } from '../../packages/log/activity-chain.ts';
import { makeFolder } from '../_folder.ts';
import { noPlugins } from '../_tenants.ts';
import { makeDatabase, server } from '../faults/_place.ts';

async function place(t: ExecutionContext) {
  const folder = makeFolder(t);
  const url = server ? await makeDatabase(t, server) : undefined;
  return { folder, env: { DATA_DIR: folder, PLUGINS_DIR: noPlugins(folder), ...(url && { DATABASE_URL: url }) } };
}

test.serial('a missing or different master key is rejected, and nothing is created in its place', async (t) => {
  const { folder, env } = await place(t);
  const config = { ...readConfig(env), passwordCost: 4, logLevel: 'silent' } as const;
  const file = join(folder, 'master.key');
  const app = await openInstallation(config);
  await app.system().transaction((ctx) => createCompany(ctx, { customer: 'Acme' }));
  await app.close();
  copyFileSync(file, `${file}.kept`);
  rmSync(file);
  await t.throwsAsync(openInstallation(config), { message: /sealed with a different one: put the right file there/ });
  t.false(existsSync(file), 'no new one was left');
  const elsewhere = await place(t);
  await (await openInstallation({ ...readConfig(elsewhere.env), passwordCost: 4, logLevel: 'silent' })).close();
  copyFileSync(join(elsewhere.folder, 'master.key'), file);
  await t.throwsAsync(openInstallation(config), { message: /is not the master key of this database/ });
  copyFileSync(`${file}.kept`, file);
  await (await openInstallation(config)).close();
  copyFileSync(join(elsewhere.folder, 'master.key'), file);
  await (await openInstallation(config, { acceptKey: true })).close();
  await (await openInstallation(config)).close();
  t.pass('the lost one was given up');
});

for (const what of ['activity log', 'stored secret']) {
  test.serial(`without a stored fingerprint, a wrong master key is detected by the ${what}`, async (t) => {
    const { folder, env } = await place(t);
    const config = { ...readConfig(env), passwordCost: 4, logLevel: 'silent' } as const;
    const file = join(folder, 'master.key');
    const app = await openInstallation(config);
    if (what === 'activity log') {
      await app.system().transaction((ctx) => createCompany(ctx, { customer: 'Acme' }));
      await sealActivity(app.database, sealSecret(app), app.clock.now());
    } else await app.system().transaction(async (ctx) => sendMail(ctx, PasswordReset, letter));
    await app.database.run(sql`DELETE FROM setting WHERE name = 'core.master_key'`);
    await app.close();
    copyFileSync(file, `${file}.kept`);
    writeFileSync(file, createHash('sha256').update('another').digest('base64'), { mode: 0o600 });
    await t.throwsAsync(openInstallation(config), { message: /is not the master key of this database/ });
    copyFileSync(`${file}.kept`, file);
    await (await openInstallation(config)).close();
    await (await openInstallation(config)).close();
  });
}

test.serial('after the master key was given up, people sign in and lost secrets are entered again', async (t) => {
  const { folder, env } = await place(t);
  const config = { ...readConfig(env), passwordCost: 4, logLevel: 'silent' } as const;
  const app = await openInstallation(config);
  const seal = (context: string) => app.vault.seal('secret', context);
  const provider = {
    ...noProvider,
    issuer: 'https://acme.okta.example',
    client_id: 'keelson',
    client_secret: seal('identity provider okta'),
    audience: 'everyone',
  } as const;
  const account = { host: 'mail.acme.example', port: 587, username: 'keelson' };
  const mailServer = { ...noMailServer, ...account, password: seal('mail server password') };
  const staff = { name: 'Ada', email: 'ada@acme.example', role: 'technician', password_hash: null } as const;
  const { user_id } = await app.system().transaction(async (ctx) => {
    await app.settings.set(ctx, StoredProviders, { okta: provider });
    await app.settings.set(ctx, StoredMailServer, mailServer);
    return createTechnician(ctx, staff);
  });
  const ada = { kind: 'technician', id: user_id, account: staff.email } as const;
  const { secret } = await beginFactor(app.system(), ada);
  const [recovery_code = ''] = await enableFactor(app.system(), ada, await generate({ secret }));
  await app.close();
  writeFileSync(join(folder, 'master.key'), createHash('sha256').update('new').digest('base64'), { mode: 0o600 });
  const again = await openInstallation(config, { acceptKey: true });
  const ctx = again.system();
  t.deepEqual(await identityProviders(ctx, 'technician'), []);
  t.like(await readProvider(ctx, 'okta'), { source: 'console', enabled: false, has_secret: false });
  await t.throwsAsync(wantedProvider(ctx, 'okta', { ...provider, client_secret: undefined }), {
    message: /client_secret is required/,
  });
  t.like(await readMailServer(ctx), { host: account.host, has_password: false, state: 'off' });
  t.is(await again.mail.server(ctx), undefined, 'mails wait for its password');
  const otp = await generate({ secret });
  await t.throwsAsync(requireSecondFactor(ctx, ada, { otp }), { message: 'Invalid code, or already used' });
  await requireSecondFactor(ctx, ada, { recovery_code });
  await again.close();
});

test.serial('after the master key was given up, the activity log is checked from there on', async (t) => {
  const { folder, env } = await place(t);
  const config = { ...readConfig(env), passwordCost: 4, logLevel: 'silent' } as const;
  const sealCompany = async (app: App, customer: string) => {
    await app.system().transaction((ctx) => createCompany(ctx, { customer }));
    await sealActivity(app.database, sealSecret(app), app.clock.now());
  };
  const app = await openInstallation(config);
  await sealCompany(app, 'Acme');
  await app.close();
  writeFileSync(join(folder, 'master.key'), createHash('sha256').update('new').digest('base64'), { mode: 0o600 });
  const again = await openInstallation(config, { acceptKey: true });
  await sealCompany(again, 'Borg');
  const printed: string[] = [];
  const shell = { open: async () => again, print: (line: string) => printed.push(line) };
  await checkActivityLog(shell as never, {});
  t.regex(printed.join('\n'), /is intact: \d+ lines in 2 blocks.*\nNot checked: .*the oldest 1\n/);
  await again.database.run(sql`UPDATE activity_log SET description = 'Nothing' WHERE description LIKE '%Borg%'`);
  await t.throwsAsync(checkActivityLog(shell as never, {}), { message: /line \d+ of block 2 was changed/ });
  await again.close();
});

const letter = {
  to: { name: 'Ann', address: 'ann@acme.example' },
  data: { link: 'https://acme.example', valid_until: 'noon' },
};

test.serial('a process that cannot listen exits with an error', async (t) => {
  const { env } = await place(t);
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  t.teardown(() => taken.close());
  const { port } = taken.address() as AddressInfo;
  const child = spawn(process.execPath, ['--disable-proto=delete', 'start.js'], {
    env: { ...process.env, ...env, PORT: String(port), HOST: '127.0.0.1', LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [code] = await once(child, 'close');
  t.is(code, 1);
  t.regex(said, /Cannot listen on HOST 127\.0\.0\.1, PORT \d+: the port is already in use/);
});
