// Strapi: the content manager of its admin panel, which draws pages in the browser from JSON.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { childrenOf } from '../node-process.ts';
import {
  companyOf,
  EMAIL,
  PASSWORD,
  SUBJECT,
  TEXT,
  WORD,
  type Operation,
  type Product,
  type Setting,
} from './product.ts';

const PORT = 3344;
const TYPE = 'api::ticket.ticket';
/** Requests of the admin panel in front of every page, as its browser sends them. */
const FRAME = ['project-type', 'init', 'users/me', 'users/me/permissions', 'information', 'license-limit-information'];

/** Starts a built Strapi project in production mode and signs in. */
export async function startStrapi({ folder }: Setting): Promise<Product> {
  const child = spawn(process.execPath, ['node_modules/@strapi/strapi/bin/strapi.js', 'start'], {
    cwd: join(folder, 'strapi'),
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', STRAPI_TELEMETRY_DISABLED: 'true', PORT: String(PORT) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const token = await signIn();
  const headers = { Authorization: `Bearer ${token}` };
  const get = (path: string, contains: string) => ({ method: 'GET', path, headers, contains }) as const;
  const one =
    (path: string, contains: string): Operation =>
    () => [get(path, contains)];
  const list = (query: string) => `/content-manager/collection-types/${TYPE}?pageSize=25&sort=number:DESC&${query}`;
  const frame = FRAME.map((path) => get(`/admin/${path}`, '{'));
  const queue = [
    get(`/admin/content-manager/collection-types/${TYPE}`, '<html'),
    ...frame,
    get('/content-manager/init', '{'),
    get('/content-manager/content-types-settings', '{'),
    get('/content-manager/init', '{'),
    get(`/content-manager/content-types/${TYPE}/configuration`, '{'),
    get(list('page=1'), '"page":1'),
    get('/i18n/locales', '['),
  ];
  const home = [
    get('/admin/', '<html'),
    ...frame,
    ...['homepage/layout', 'homepage/key-statistics', 'guided-tour-meta'].map((path) => get(`/admin/${path}`, '{')),
    ...['recent-documents?action=publish', 'count-documents', 'recent-documents?action=update'].map((path) =>
      get(`/content-manager/homepage/${path}`, '{'),
    ),
  ];
  return {
    name: 'Strapi',
    port: PORT,
    operations: {
      list: one(list('page=1&filters[$and][0][state][$ne]=closed'), '"page":1'),
      deep: one(list('page=2000&filters[$and][0][state][$eq]=closed'), '"page":2000'),
      search: one(list(`page=1&_q=${WORD}`), '"total":100'),
      queue: () => queue,
      home: () => home,
      create: (connection, n) => {
        const company = companyOf(connection, n);
        const set = (id: number, letter: string) => ({ connect: [{ id, documentId: md5(`${letter}${id}`) }] });
        const fields = { subject: SUBJECT, description: TEXT, state: 'open', priority: 3, number: 200_000 + n };
        return [
          {
            method: 'POST',
            path: `/content-manager/collection-types/${TYPE}`,
            headers: { ...headers, 'Content-Type': 'application/json' },
            body: JSON.stringify({ ...fields, company: set(company, 'c'), contact: set(company * 10, 'p') }),
            status: 201,
            contains: 'documentId',
          },
        ];
      },
    },
    pids: () => [child.pid ?? 0, ...childrenOf(child.pid ?? 0)],
    stop: async () => {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** Waits until Strapi has started; creates the first account if there is none. Returns an access token. */
async function signIn(): Promise<string> {
  const post = async (path: string, body: Readonly<Record<string, string>>): Promise<Response> =>
    fetch(`http://127.0.0.1:${PORT}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  for (let i = 0; i < 240; i++) {
    try {
      await post('/admin/register-admin', { firstname: 'Ada', lastname: 'Tech', email: EMAIL, password: PASSWORD });
      const { data } = (await (await post('/admin/login', { email: EMAIL, password: PASSWORD })).json()) as {
        data: { token: string };
      };
      return data.token;
    } catch (error) {
      // It is still starting.
      if (!(error instanceof TypeError)) throw error;
    }
    await wait(500);
  }
  throw new Error('Strapi does not start');
}

/** strapi.sql makes document ids this way. */
const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
