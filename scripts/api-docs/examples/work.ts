// Examples for docs/api.md: events, caches, mail, exports, imports, time and tests. They compile.
import {
  cache,
  dayOf,
  fromMinor,
  invalidateOnChange,
  job,
  item,
  key,
  mailTemplate,
  perApp,
  secondsBetween,
  secret,
  sendMail,
  subscriber,
  toDatabase,
  toMinor,
  z,
  type Context,
  type Day,
  type EventRecord,
  type Occurrence,
  type Timestamp,
} from '@keelson/core';
import {
  pdfPaper,
  csvStream,
  importRows,
  ImportResult,
  importTemplate,
  ImportTemplate,
  inBatches,
  pdfStream,
  readImport,
  type ExportColumn,
  type ExportRow,
  type ImportColumn,
  type ImportedRow,
  type ImportInput,
  type PdfFilter,
  type RowError,
  type StoredBatch,
} from '@keelson/core/files';
import {
  abreast,
  batchesApart,
  eachApart,
  partsApart,
  type Batches,
  type Part,
  fromDatabase,
  ADDRESS_KEY,
  addressesBetween,
  addressKey,
  addressOfKey,
  blockOf,
  html,
  ipNetwork,
  keyAfter,
  maskBits,
  newId,
  pause,
  readAddress,
  yieldToOthers,
  type Abreast,
  type Html,
  type IpNetwork,
} from '@keelson/core/kit';
import { readAll } from '@keelson/core/list';
import { commonVariables, previewMail, signatureVariables } from '@keelson/core/mail';
import { changed, type Event, type Subscriber } from '@keelson/core/plugin';
import type { TestClock, TestMail } from '@keelson/testing';
import { Claim } from '../../../plugins/warranty/entities.ts';
import { ClaimFiled } from '../../../plugins/warranty/events.ts';
import { Contract, ContractList } from './data.ts';

// Events, subscribers and jobs
type Filed = { claim_id: number; vendor: string };
export const isFiled = (event: Event): boolean => event.name === ClaimFiled.name;
export const record: EventRecord<{ vendor: string }> = {
  type: 'claim',
  read: async (ctx, claim_id) => (await ctx.db.findOneBy(Claim, { claim_id })) ?? { vendor: '' },
};
export async function thank(ctx: Context, { data, at }: Occurrence<Filed>): Promise<void> {
  sendMail(ctx, ClaimMail, {
    to: { name: data.vendor, address: 'claims@example.com' },
    data: { vendor: data.vendor, at },
  });
}
export async function letterOf(ctx: Context, vendor: string): Promise<string> {
  const to = { name: vendor, address: 'claims@example.com' };
  return (await previewMail(ctx, ClaimMail, { to, data: { vendor, at: ctx.now } })).text;
}
export const subscribers: Subscriber[] = [subscriber('warranty.thank', ClaimFiled, thank)];

export const poll = job('warranty.poll', '* * * * *', async (ctx, { stopping }) => {
  while (!stopping.aborted) {
    ctx.log.debug('warranty: the vendor is asked');
    await pause(20, stopping);
  }
});

// Caches
export const vendorOf = perApp((app) => {
  const kept = cache<number, string>(
    app,
    async (db, claim_id) => (await db.findOneBy(Claim, { claim_id }))?.vendor ?? '',
  );
  invalidateOnChange(app, kept, [Claim]);
  return kept;
});
export async function rename(ctx: Context, claim_id: number, vendor: string): Promise<void> {
  await ctx.db.update(Claim, { claim_id }, { vendor });
  changed(ctx, Claim);
}

// Mail
export const ClaimMail = mailTemplate('warranty_claim', {
  name: 'Warranty: a claim was filed',
  subject: 'A claim at {{ vendor }}',
  body: 'It was filed at {{ at }}.',
  variables: ['vendor', 'at'],
});

// Exports
export const columns: readonly ExportColumn[] = [
  { key: 'title', label: 'Contract' },
  { key: 'ends_on', label: 'Ends', kind: 'day' },
];
async function* contracts({ db }: Context): AsyncGenerator<ExportRow[]> {
  yield* inBatches(readAll(db, ContractList, { where: [], sort: 'title', direction: 'asc' }));
}
export const asCsv = (ctx: Context) => csvStream(columns, contracts(ctx));
const filters: PdfFilter[] = [{ label: 'State', value: 'sent', kind: 'choice' }];
const receipt = {
  title: 'Receipt 7',
  from: 'Acme',
  colour: '#1e3a5f',
  to: { label: 'For', lines: ['Smith & Sons'] },
  facts: [{ label: 'Date', value: '2026-03-02' }],
  columns: [{ label: 'What' }, { label: 'Amount', numbers: true }],
  rows: [['Cable', 'USD 9.90']],
  sums: [{ label: 'Total', value: 'USD 9.90', strong: true }],
  notes: '',
};
export const asReceipt = (ctx: Context) => pdfPaper(ctx, receipt);

export const asPdf = (ctx: Context) => pdfStream(ctx, { title: 'Contracts', filters, columns, rows: contracts(ctx) });

// Imports
const title: ImportColumn = { name: 'title', label: 'Title', type: 'text', required: true, sample: 'Laptops' };
export const template = { returns: item(ImportTemplate), handle: () => importTemplate([title]) };
export const imported = { returns: item(ImportResult) };
const ContractRow = z.object({ title: z.string() });
type ContractRow = z.infer<typeof ContractRow>;
export async function importContracts(ctx: Context, company_number: number, input: ImportInput): Promise<ImportResult> {
  const file = await readImport({ columns: [title], lists: ['contracts'], options: z.object({}) }, input);
  return importRows(ctx, file, ContractRow, (rows) => store(ctx, company_number, rows));
}
async function store(
  ctx: Context,
  company_number: number,
  rows: readonly ImportedRow<ContractRow>[],
): Promise<StoredBatch> {
  const errors: RowError[] = [];
  const contract = ({ values, row }: ImportedRow<ContractRow>) => ({
    ...values,
    company_number,
    kind: 'parts' as const,
    number: `${row}`,
  });
  await ctx.transaction((each) => each.db.insert(Contract, rows.map(contract)));
  await yieldToOthers();
  return { created: rows.length, updated: 0, errors };
}

/** Processes two batches at a time unless they share a company. */
export const storing = (ctx: Context): Abreast<readonly Claim[]> =>
  abreast({ most: 2, keysOf: (batch) => batch.map((each) => String(each.company_number)) }, async (batch) => {
    await ctx.transaction((inside) => inside.db.insert(Claim, batch));
  });

export const chaseAll = (companies: readonly number[], chase: (company: number) => Promise<void>) =>
  eachApart(companies, (company) => `company ${company}`, chase);

export const tidyUp = (parts: readonly Part[]): Promise<void> => partsApart(parts);

export const expireAll = (due: Batches<number>): Promise<void> => batchesApart(due);

export const unchanged: StoredBatch = { created: 0, updated: 0, errors: [] };

// Time, money and text
export const dayOfClaim = ({ created_at }: Claim): Day => dayOf(created_at);
export const waiting = (ctx: Context, since: Timestamp): number => secondsBetween(since, ctx.now);
export const stored = (at: Timestamp) => toDatabase(at);
export const read = (at: string): Timestamp => fromDatabase(at);
export const price = (cost_minor: number): number => fromMinor(cost_minor);
export const minor = (cost: number) => toMinor(cost);
export const addressColumn = key(ADDRESS_KEY);
export const spelled = readAddress('2001:DB8::1');
export function networkOf(cidr: string): IpNetwork | undefined {
  const block = blockOf(cidr);
  return block && ipNetwork(block);
}
export const isInside = ({ first_key, last_key }: IpNetwork, ip: string): boolean =>
  first_key <= addressKey(ip) && addressKey(ip) <= last_key;
export const sizeOf = ({ first_key, last_key }: IpNetwork): bigint => addressesBetween(first_key, last_key);
export const bitsOf = (mask: string) => maskBits(mask, 'ipv4');
export const next = (ip: string) => addressOfKey(keyAfter(addressKey(ip)) ?? addressKey(ip));
export const bold = (vendor: string): Html => html`<b>${vendor}</b>`;
export const reference = newId();
export const token = secret();

// Tests
export const later = (clock: TestClock): void => clock.set('2026-03-10T07:00:00.000Z');
export const subjects = (mails: readonly TestMail[]): string[] => mails.map(({ subject }) => subject);

export const isSigned = (name: string): boolean =>
  [signatureVariables, commonVariables].flat().some((each) => each === name);
