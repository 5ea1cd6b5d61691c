// Seeds collectors and their requests.
import { registerCollector } from '@keelson/modules/discovery';
import type { TestApp } from '@keelson/testing';
import { seedCompany, unique } from './accounts-seed.ts';
import { seedSite } from './tickets-seed.ts';

export async function seedPlace(app: TestApp) {
  const { company_number } = await seedCompany(app);
  return placeIn(app, company_number);
}

export async function placeIn(app: TestApp, company_number: number) {
  const { site_number } = await seedSite(app, company_number, unique('Site'));
  return { company_number, site_number };
}

export interface Sender {
  readonly collector_id: string;
  readonly token: string;
  readonly send: (method: string, path: string, body?: unknown) => ReturnType<TestApp['request']>;
  readonly poll: () => Promise<readonly any[]>;
}

/** Registers a collector; returns it with functions that send as it does. */
export async function seedCollector(
  app: TestApp,
  place: { readonly company_number: number; readonly site_number: number; readonly name?: string },
): Promise<Sender> {
  const { collector, token } = await app.run((ctx) => registerCollector(ctx, place));
  const send: Sender['send'] = (method, path, body) =>
    app.request(method, `/admin/api/v1${path}`, { token, ...(body === undefined ? {} : { body }) });
  return {
    collector_id: collector.collector_id,
    token,
    send,
    poll: async () => {
      const { body, text } = await send('GET', '/connect/collector/commands');
      if (!body.success) throw new Error(`The poll responded ${text}`);
      return body.data;
    },
  };
}
