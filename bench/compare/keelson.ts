// Keelson: its console draws pages in the browser from JSON. The requests are those of its browser, with static files in
// the browser's cache.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { childrenOf, startProduct } from '../node-process.ts';
import { companyOf, SUBJECT, TEXT, WORD, type Operation, type Product, type Setting, type Step } from './product.ts';

/** Returns the environment that points Keelson at its database. */
export function keelsonEnv({ folder, databasePort }: Setting): Readonly<Record<string, string>> {
  const dataDir = join(folder, 'keelson');
  mkdirSync(dataDir, { recursive: true });
  return {
    DATA_DIR: dataDir,
    BASE_URL: 'http://127.0.0.1',
    DATABASE_URL: `mysql://root@127.0.0.1:${databasePort}/keelson`,
  };
}

/** Fills Keelson's database unless it is filled, and opens sessions. Returns the file with their cookies. */
export function prepareKeelson(setting: Setting): string {
  const file = join(setting.folder, 'keelson', 'cookies.json');
  const env = { PATH: process.env['PATH'], ...keelsonEnv(setting), LOG_LEVEL: 'error' };
  execFileSync(process.execPath, ['bench/compare/keelson-fill.ts', file], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return file;
}

/** Starts Keelson. Its limits are per technician, so operations take turns through the sessions of sixty. */
export async function startKeelson(setting: Setting): Promise<Product> {
  const file = prepareKeelson(setting);
  if (!existsSync(file)) throw new Error('There are no sessions');
  const cookies = JSON.parse(readFileSync(file, 'utf8')) as string[];
  const product = await startProduct({ ...keelsonEnv(setting), LOG_LEVEL: 'info' });
  let turn = 0;
  const session = () => ({ Cookie: `SERVICE_default=${cookies[turn++ % cookies.length] ?? ''}` });
  const api = (path: string, contains = '"success":true') => ({ path: `/admin/api/v1/${path}`, contains });
  const get =
    (...steps: readonly Pick<Step, 'path' | 'contains'>[]): Operation =>
    () => {
      const headers = session();
      return steps.map((each) => ({ method: 'GET', headers, ...each }));
    };
  const list = (query: string, contains?: string) => api(`tickets.php?brief=true&${query}`, contains);
  const newest = 'sort=created_at&order=desc&per_page=25';
  const page = (path: string) => ({ path, contains: '<html' });
  const shown = 'status=unresolved&page=1&per_page=100';
  const ids = await listedIds(product.port, session(), `sort=updated_at&order=desc&${shown}`);
  const due = api(`levels/due.php?ids=${ids.join('%2C')}`);
  return {
    name: 'Keelson',
    port: product.port,
    operations: {
      list: get(list(`${newest}&status=unresolved&page=1`, '"per_page":25,')),
      deep: get(list(`${newest}&status=closed&page=2000`, '"page":2000,')),
      search: get(list(`${newest}&search=${WORD}&page=1`, '"total":100,')),
      queue: get(
        page('/admin/tickets'),
        api('console.php'),
        api('notifications.php?action=unread'),
        api('preferences.php'),
        api('tickets.php?action=counts&views=unresolved%2Cmine%2Cunassigned'),
        api('tech-status.php'),
        api('views.php?list=tickets'),
        list(`sort=updated_at&order=desc&${shown}`),
        api('presence.php?type=ticket'),
        due,
      ),
      home: get(
        page('/admin'),
        api('console.php'),
        api('notifications.php?action=unread'),
        api('preferences.php'),
        api('outages.php?status=active&page=1&per_page=100'),
        api('monitoring/alerts.php?status=open&page=1&per_page=100'),
        api('timers.php'),
        list(`sort=time_left&order=asc&assigned_to=me&${shown}`),
        list(`sort=time_left&order=asc&time_left=four_hours&${shown}`),
        api('tickets/tasks.php?assigned_to=me'),
        due,
        list(`sort=time_left&order=asc&assigned_to=none&${shown}`),
        api('notifications.php?unread=true&page=1&per_page=100'),
        api('reports/metrics.php'),
        due,
        api('tickets.php?action=load'),
      ),
      create: (connection, n) => {
        const company_number = companyOf(connection, n);
        const ticket = { company_number, requester_employee_number: company_number * 10 };
        return [
          {
            method: 'POST',
            headers: { ...session(), 'Content-Type': 'application/json' },
            body: JSON.stringify({ ...ticket, subject: SUBJECT, description: TEXT }),
            status: 201,
            ...api('tickets.php'),
          },
        ];
      },
    },
    pids: () => [product.pid, ...childrenOf(product.pid)],
    stop: () => product.stop(),
  };
}

async function listedIds(port: number, headers: Readonly<Record<string, string>>, query: string): Promise<number[]> {
  const response = await fetch(`http://127.0.0.1:${port}/admin/api/v1/tickets.php?brief=true&${query}`, { headers });
  const { data } = (await response.json()) as { data: readonly { ticket_id: number }[] };
  return data.map(({ ticket_id }) => ticket_id);
}
