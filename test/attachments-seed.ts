// Uploads for the attachment tests.
import type { Table } from '@keelson/core';
import { Ticket } from '@keelson/modules/tickets';
import type { TestAnswer, TestApp } from '@keelson/testing';
import { Attachment, AttachmentLimits, AttachmentUse } from '../core/attachments/attachment.ts';
import { keepFiles } from '../core/attachments/store-attachment.ts';
import { StoredEvent } from '../packages/events/delivery/delivery.ts';
import { arrivals } from '../packages/storage/arrival.ts';
import { seedKey, signIn } from './accounts-seed.ts';
import { portal, staff } from './tickets-seed.ts';

export interface File {
  readonly name?: string;
  readonly bytes?: Buffer | string;
  readonly type?: string;
}

/** Builds a multipart body with files and other fields. */
export function multipart(files: readonly File[], fields: Readonly<Record<string, string>> = {}) {
  const boundary = '----keelson-test';
  const parts = Object.entries(fields).map(([name, value]) =>
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`),
  );
  for (const { name = 'note.txt', bytes = 'hello', type = 'image/png' } of files) {
    const quoted = name.replaceAll('"', '%22').replace(/\r|\n/g, '');
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${quoted}"\r\nContent-Type: ${type}\r\n\r\n`;
    parts.push(Buffer.from(head), Buffer.from(bytes as string), Buffer.from('\r\n'));
  }
  const body = Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
  return { body, headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` } };
}

export interface Caller {
  send(method: string, path: string, headers?: Record<string, string>): Promise<TestAnswer>;
  upload(
    path: string,
    files?: readonly File[],
    fields?: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<TestAnswer>;
  readonly token: string;
}

function callerWith(app: TestApp, root: string, token: string): Caller {
  return {
    token,
    send: (method, path, headers = {}) => app.request(method, `${root}${path}`, { token, headers }),
    upload(path, files = [{}], fields = {}, headers = {}) {
      const { body, headers: type } = multipart(files, fields);
      return app.request('POST', `${root}${path}`, { token, body, headers: { ...type, ...headers } });
    },
  };
}

/** Creates a key with all ticket permissions, or some of them. */
export async function staffCaller(
  app: TestApp,
  permissions: readonly string[] = ['tickets:read', 'tickets:write', 'tickets:delete'],
): Promise<Caller> {
  const { api_key } = await seedKey(app, 'admin', permissions);
  return callerWith(app, staff, api_key);
}

export async function portalCaller(app: TestApp, employee: { email: string }): Promise<Caller> {
  return callerWith(app, portal, (await signIn(app, employee)).token);
}

export const storedAttachments = ({ app }: TestApp) =>
  app.database.find(Attachment, { order: { attachment_id: 'ASC' } });

/** Attaches a file to a ticket without HTTP. */
export function seedAttachment(
  app: TestApp,
  { ticket_id, ...rest }: { ticket_id: number; company_number?: number; bytes?: string },
): Promise<number> {
  return attachTo(app, Ticket, { id: ticket_id, ...rest });
}

/** Attaches a file to a record of a table without HTTP. */
export async function attachTo(
  { app }: TestApp,
  table: Table,
  {
    id,
    company_number = 0,
    bytes = 'hello',
    part = null,
  }: { id: number; company_number?: number; bytes?: string; part?: number | null },
): Promise<number> {
  const arriving = arrivals(app.storage.arrivals);
  arriving.receive('note.txt').end(bytes);
  const rest = { noun: 'record', called: 'a record', company: company_number, part, internal: false };
  const holder = { table, row: { company_number, [table.primary]: id }, ...rest };
  const [row] = await keepFiles(app.system(), await arriving.settled(), async () => holder);
  return row?.attachment_id ?? 0;
}

/** Returns the attachment events stored since events were last cleared. */
export async function attachmentEvents({ app }: TestApp): Promise<[name: string, data: unknown][]> {
  const rows = await app.database.find(StoredEvent);
  return rows
    .filter(({ name }) => name.startsWith('attachment.'))
    .map(({ name, data }): [string, any] => [name, data])
    .toSorted(([, a], [, b]) => a.attachment_id - b.attachment_id);
}

export const storedUse = ({ app }: TestApp, company_number: number) =>
  app.database.findOneBy(AttachmentUse, { company_number });

/** Changes upload limits for a test. */
export function limitUploads(app: TestApp, limits: Partial<typeof AttachmentLimits.default>): Promise<unknown> {
  return app.run((ctx) => app.app.settings.change(ctx, AttachmentLimits, (known) => ({ ...known, ...limits })));
}
