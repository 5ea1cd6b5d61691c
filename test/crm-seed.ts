// Keys and records for the CRM tests.
import type { TestApp } from '@keelson/testing';
import { StoredEvent } from '../packages/events/delivery/delivery.ts';
import { ActivityLine } from '../packages/log/activity.ts';
import { seedKey } from './accounts-seed.ts';

export const crmRoot = '/admin/api/v1/crm';

export const crmPermissions = [
  'leads:read',
  'leads:write',
  'leads:delete',
  'contacts:read',
  'contacts:write',
  'opportunities:read',
  'opportunities:write',
  'prospects:read',
  'prospects:write',
  'activities:read',
  'activities:write',
];

export type Send = (method: string, path: string, body?: unknown) => ReturnType<TestApp['request']>;

/** Calls the CRM surface with a secret key. */
export async function asCrm(app: TestApp, permissions: readonly string[] = crmPermissions): Promise<Send> {
  const { api_key } = await seedKey(app, 'crm_secret', permissions);
  return (method, path, body) =>
    app.request(method, `${crmRoot}${path}`, body === undefined ? { key: api_key } : { key: api_key, body });
}

/** Creates a record and returns it. @throws when it was not created */
export async function add(send: Send, path: string, body: unknown) {
  const answer = await send('POST', path, body);
  if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.text}`);
  return answer.body.data;
}

/** Returns the events that `work` stores, by name: events of one millisecond have no order (EV-06). */
export async function eventsOf(app: TestApp, work: () => Promise<unknown>): Promise<[string, any][]> {
  const stored = () => app.app.database.find(StoredEvent, { order: { name: 'ASC' } });
  const before = new Set((await stored()).map((each) => each.event_id));
  await work();
  return (await stored()).filter((each) => !before.has(each.event_id)).map(({ name, data }) => [name, data]);
}

/** Returns the activity lines that `work` writes, as action and record. */
export async function linesOf(app: TestApp, work: () => Promise<unknown>): Promise<string[]> {
  const before = await app.app.database.count(ActivityLine);
  await work();
  const rows = await app.app.database.find(ActivityLine, { order: { log_id: 'ASC' } });
  return rows.slice(before).map(({ action, entity_type, entity_id }) => `${action} ${entity_type} ${entity_id}`);
}

/** The CRM's response to a caller without the permission. */
export const refused = { success: false, error: 'Insufficient permissions', code: 'FORBIDDEN' };

/** Collects the error responses: without a key, with a key that lacks the permission, with a public key. */
export async function refusals(app: TestApp, method: string, path: string, permission: string) {
  const others = crmPermissions.filter((each) => each !== permission);
  const without = await asCrm(app, others);
  const body = method === 'GET' || method === 'DELETE' ? undefined : {};
  const stranger = await app.request(method, `${crmRoot}${path}`, body ? { body } : {});
  const { api_key } = await seedKey(app, 'crm_public_live');
  const visitor = await app.request(method, `${crmRoot}${path}`, body ? { key: api_key, body } : { key: api_key });
  return { stranger, without: await without(method, path, body), visitor };
}
