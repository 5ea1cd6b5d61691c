// Everything the documents tell people to type works as written: requests, CLI commands and addresses.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApp, testClock } from '@keelson/testing';
import test from 'ava';
import { loadInstallation } from '../core/plugin/load/load.ts';
import { coreCommands } from '../core/process/command/commands.ts';
import { fillDemo } from '../modules/demo/demo.ts';
import { demoFile } from '../modules/demo/sign-ins.ts';
import { root } from './_source.ts';

const documents = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
].map((path) => ({ path, text: textOf(path) }));

function textOf(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

interface Block {
  readonly at: string;
  readonly text: string;
}

const blocks: readonly Block[] = documents.flatMap(({ path, text }) =>
  [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map((found) => ({
    at: `${path}:${text.slice(0, found.index).split('\n').length + 1}`,
    text: found[1] ?? '',
  })),
);

/** What the documents assume; a rejected request ends the block. */
const PREAMBLE = `set -e -o pipefail
curl() { command curl --fail-with-body -sS --max-time 120 "$@" || { echo; echo "curl ended with $?"; return 1; }; }
`;

test('every documented request succeeds', async (t) => {
  const app = await openApp({ clock: testClock(new Date().toISOString()) });
  const folder = mkdtempSync(join(tmpdir(), 'keelson-docs-'));
  t.teardown(async () => {
    await app.close();
    rmSync(folder, { recursive: true });
  });
  const made = await fillDemo(app.app);
  const file = demoFile({ ...made, base_url: app.url });
  mkdirSync(join(folder, 'data'));
  writeFileSync(join(folder, 'data/demo.json'), JSON.stringify(file));
  writeFileSync(join(folder, 'people.csv'), 'first_name,last_name,email\nIda,Import,ida@example.com\n');
  const { email, password } = made.staff.administrator;
  const form = new URLSearchParams({ email, password });
  const signedIn = await fetch(`${app.url}/admin/login`, { method: 'POST', body: form, redirect: 'manual' });
  const cookie = (signedIn.headers.getSetCookie()[0] ?? '').split(';')[0];
  const person = made.customers[0]?.employee;
  const employee = await fetch(`${app.url}/helpdesk/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username: person?.email, password: person?.password }),
  });
  const { access_token } = (await employee.json()) as { access_token: string };
  const env = {
    PATH: process.env['PATH'],
    base: app.url,
    key: file.admin_key,
    token: access_token,
    cookie,
  };
  const requests = blocks.filter(({ text }) => /^(?:\w+=\$\()?curl /m.test(text));
  t.true(requests.length > 5);
  for (const { at, text } of requests) {
    const { code, said } = await run('bash', ['-c', PREAMBLE + text], { cwd: folder, env });
    t.is(code, 0, `${at}\n${said}`);
  }
});

test('every documented command exists with its options', async (t) => {
  const { loaded } = await loadInstallation('plugins');
  const commands = [...coreCommands, ...loaded.flatMap(({ plugin }) => plugin.commands ?? [])];
  const scripts: Readonly<Record<string, string>> = JSON.parse(textOf('package.json')).scripts;
  const typed = documents.flatMap(({ path, text }) =>
    [...text.matchAll(/(?:npm run [\w:-]+|node cli\.js [a-z-]+)[^`\n#|]*/g)].map(([line]) => ({
      path,
      line: line.trim(),
    })),
  );
  t.true(typed.length > 40, `${typed.length} commands`);
  const wrong = typed.flatMap(({ path, line }) => {
    const [, script, rest = ''] = /^npm run ([\w:-]+)(?: -- (.*))?/.exec(line) ?? [];
    const known = script === undefined ? line : scripts[script];
    if (known === undefined) return [`${path}: ${line}: there is no script ${script}`];
    const [, own] = /cli\.js ?(.*)$/.exec(known) ?? [];
    // Skip scripts that are not our commands, and `npm run cli -- …`, the placeholder for all of them.
    if (own === undefined || /^(?:--help|)$/.test(own)) return [];
    const words = `${own} ${rest}`;
    const command = commands
      .filter(({ name }) => `${words} `.startsWith(`${name} `) || name.startsWith(`${words.trim()} `))
      .toSorted((a, b) => b.name.length - a.name.length)[0];
    if (!command) return [`${path}: ${line}: there is no such command`];
    const flags = command.options.map((each) => each.flags.split(' ')[0]);
    return (words.match(/--[a-z][\w-]*/g) ?? [])
      .filter((each) => !flags.includes(each))
      .map((each) => `${path}: ${line}: there is no ${each}`);
  });
  t.deepEqual(wrong, []);
});

test('every documented method and path is an operation', async (t) => {
  const { loaded } = await loadInstallation('plugins');
  const routes = loaded.flatMap(({ plugin }) => plugin.routes ?? []);
  const known = routes.map(({ method, path }) => ({
    method: method.toUpperCase(),
    path: new RegExp(`^${(path.split('?')[0] ?? '').replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    action: /[?&]action=([\w-]+)/.exec(path)?.[1],
  }));
  const named = documents.flatMap(({ path, text }) =>
    [...text.matchAll(/`((?:(?:GET|POST|PUT|PATCH|DELETE)(?:, | and )?)+) (\/[^`\s]*)/g)].flatMap((found) =>
      (found[1] ?? '').split(/, | and /).map((method) => ({ path, method, address: found[2] ?? '' })),
    ),
  );
  t.true(named.length > 80, `${named.length} addresses`);
  const wrong = named.filter(({ method, address }) => {
    const plain = address.replace(/^\/(?:admin\/api\/v1\/crm|admin\/api\/v1|helpdesk\/api\/v1)(?=\/)/, '');
    const [place = '', query = ''] = plain.split('?');
    const action = /(?:^|&)action=([\w-]+)/.exec(query)?.[1];
    return !known.some(
      (each) => each.method === method && each.path.test(place) && (action === undefined || each.action === action),
    );
  });
  t.deepEqual(
    wrong.map(({ path, method, address }) => `${path}: ${method} ${address}`),
    [],
  );
});

test('every documented permission is declared', async (t) => {
  const { loaded } = await loadInstallation('plugins');
  const permissions = new Set(loaded.flatMap(({ plugin }) => (plugin.permissions ?? []).map(({ name }) => name)));
  const named = documents.flatMap(({ path, text }) =>
    [...text.matchAll(/`([a-z_]+:(?:read|write|delete|manage|access|reveal|\*))`/g)].map(([, name = '']) => ({
      path,
      name,
    })),
  );
  t.true(named.length > 8, `${named.length} names`);
  const areas = new Set([...permissions].map((name) => name.split(':')[0]));
  t.deepEqual(
    named
      .filter(({ name }) => !permissions.has(name) && !(name.endsWith(':*') && areas.has(name.split(':')[0])))
      .map(({ path, name }) => `${path}: ${name}`),
    [],
  );
});

interface Ended {
  readonly code: number | null;
  readonly said: string;
}

async function run(
  program: string,
  args: readonly string[],
  options: { cwd: string; env?: NodeJS.ProcessEnv },
): Promise<Ended> {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (said += data.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said };
}
