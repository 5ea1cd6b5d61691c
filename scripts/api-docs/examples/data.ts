// Examples for docs/api.md: tables, rows, records, lists and counters. They compile.
import {
  announceChange,
  anyCredential,
  attachments,
  big,
  by,
  choice,
  count,
  counted,
  counterTable,
  day,
  defineNames,
  dependent,
  DuplicateKey,
  eventData,
  eventDataFor,
  findOr404,
  lock,
  subscriber,
  findVisible,
  flag,
  id,
  int,
  is,
  json,
  key,
  listed,
  liveRecord,
  lockAll,
  normalised,
  noun,
  ref,
  remove,
  searchable,
  searched,
  signedIn,
  show,
  sql,
  statistic,
  table,
  text,
  toMany,
  toOne,
  z,
  MoreThan,
  MoreThanOrEqual,
  LessThan,
  Between,
  Not,
  type Admin,
  type Context,
  type EmployeeActor,
  type Given,
  type OutOf,
  type Row,
  type Sql,
  type Table,
  type View,
  type Wanted,
} from '@keelson/core';
import {
  AttachmentAdded,
  AttachmentRemoved,
  type AttachmentFace,
  type AttachmentOptions,
  type AttachmentSight,
} from '@keelson/core/attachments';
import { containing, inTime, joined, removeBefore, type Db, type New, type Transaction } from '@keelson/core/database';
import { searchedWords, wordsIn } from '@keelson/core/kit';
import {
  byOther,
  countList,
  defineList,
  matching,
  readAll,
  readCount,
  readCounts,
  readPage,
  readStatistics,
  updateCounters,
  type Counted,
  type Filter,
} from '@keelson/core/list';
import { findHolders } from '@keelson/core/plugin';
import {
  announceNew,
  answers,
  countOf,
  eventDataWith,
  newRow,
  showWith,
  type AskedOf,
  type Change,
} from '@keelson/core/record';
import { findRecords, whereSearched, type SearchTexts } from '@keelson/core/search';
import { Company, Site } from '@keelson/modules/directory';
import { ClaimView, Claims, PortalClaim } from '../../../plugins/warranty/claims.ts';
import { Claim } from '../../../plugins/warranty/entities.ts';
import { ReadClaims, WriteClaims } from '../../../plugins/warranty/permissions.ts';

// Tables
export const Contract = table('warranty_contract', {
  contract_id: id(),
  company_number: ref(Company),
  number: key(40).unique(),
  title: text(120),
  months: int().default(24),
  value_minor: big().default(0),
  active: flag().default(true),
  ends_on: day().nullable(),
  terms: json(z.array(z.string())).nullable(),
  kind: choice('parts', 'on-site'),
});
type NewContract = New<typeof Contract>;
type ContractRow = Row<typeof Contract>;
export const nameOfTable = (of: Table): string => of.name;
export const devices = { devices: toMany('warranty_device', 'contract') };
export const contract = { contract: toOne(Contract, 'contract_id') };
export const Pin = table('warranty_pin', { pin_id: id(), seen_on: day(), position: int(), size: big(), main: flag() });
export const more = { number: key(40), terms: json(z.array(z.string())) };

// Attachments
type OfClaim = AttachmentOptions<typeof Claim, never>;
const staff: AttachmentFace<Admin, typeof Claim, never> = {
  path: '/warranty/claims.php',
  read: ReadClaims,
  write: WriteClaims,
  view: ClaimView,
};
const ofClaim: OfClaim = {
  company: ({ company_number }) => company_number,
  call: ({ vendor }) => `at ${vendor}`,
  admin: staff,
};
export const ClaimAttachments = attachments(Claims, ofClaim);
export const sight: AttachmentSight<Admin, typeof Claim> = {
  find: (ctx, claim_id) => findOr404(ctx, Claims, claim_id),
  lock: (ctx, claim_id) => lock(ctx, Claims, claim_id),
};
const isClaim = ({ record_type }: { record_type: string }) => record_type === Claim.name;
export const files = [
  subscriber('warranty.file-added', AttachmentAdded, async (ctx, { data }) => {
    if (isClaim(data)) ctx.log.info({ claim_id: data.record_id }, 'the vendor has sent something');
  }),
  subscriber('warranty.file-removed', AttachmentRemoved, async (ctx, { data }) => {
    if (isClaim(data)) ctx.log.info({ claim_id: data.record_id }, 'a file is gone');
  }),
];

// Rows and SQL
export async function sign(ctx: Context, row: NewContract): Promise<number | undefined> {
  try {
    return await ctx.db.insertReturningId(Contract, row);
  } catch (error) {
    if (error instanceof DuplicateKey) return undefined;
    throw error;
  }
}
export const valuable = (db: Db) => db.findBy(Contract, { value_minor: MoreThan(100_000) });
export const long = (db: Db) => db.findBy(Contract, { months: MoreThanOrEqual(36) });
export const ended = (db: Db, today: string) => db.findBy(Contract, { ends_on: LessThan(today) });
export const oneToThree = (db: Db) => db.findBy(Contract, { months: Between(12, 36) });
export const unsigned = (db: Db) => db.findBy(Contract, { title: Not('') });
export const drop = (tx: Transaction, contract_id: number) => tx.delete(Contract, { contract_id });
const like = (word: string): Sql => sql`title LIKE ${containing(word)} ESCAPE '!'`;
export const allOf = (words: readonly string[]): Sql => joined(words.map(like), ' AND ', '1 = 1');
export const ofThese = (db: Db, ids: readonly number[]) =>
  db.query(sql`SELECT title FROM warranty_contract WHERE contract_id IN ${listed(ids)}`);
export const inBounds = (db: Db, word: string) =>
  db.query(sql`SELECT title FROM warranty_contract WHERE ${like(word)} AND ${inTime(db.dialect, sql`contract_id`)}`);
export async function forgetClaims({ app }: Context, before: string): Promise<void> {
  await removeBefore(app.database, Claim, 'created_at', before);
}
export const dependents = [dependent(Contract, 'company_number', 'contracts')];
export const holders = (ctx: Context, site_number: number) => findHolders(ctx, Site, site_number);

// Records and views
export const Contracts = noun(Contract, { title: 'Contract', sorts: { title: by('title') } });
export const filed = (given: Given<typeof Claims>, ctx: Context): Claim => newRow(ctx, Claims, given);
export const refused: Wanted<typeof Claims> = { state: 'refused' };
export const wasAnswered = ({ before, after }: Change<typeof Claim>): boolean => before.state !== after.state;
export const fieldsOf = (view: View): string[] => Object.keys(view.shape.shape);
export type ClaimAnswer = OutOf<typeof ClaimView>;
export async function storeMany(ctx: Context, rows: readonly Claim[]): Promise<void> {
  await ctx.db.insert(Claim, rows);
  for (const row of rows) await announceNew(ctx, Claims, row);
}
export const photographed = (ctx: Context, claim: Claim): void =>
  announceChange(ctx, { of: Claim, row: claim, kind: 'changed' });
export const LiveClaims = liveRecord(Claim, { admin: anyCredential, helpdesk: { access: signedIn } });
export const withdraw = (ctx: Context, claim: Claim) => remove(ctx, Claims, claim);
export async function* exported(ctx: Context, asked: AskedOf<typeof ClaimView>) {
  for await (const claims of answers(ctx, ClaimView, asked)) yield claims.map(({ vendor }) => vendor);
}
export const howMany = (ctx: Context<EmployeeActor>) => countOf(ctx, PortalClaim, { state: 'sent' });
export const ownClaim = (ctx: Context<EmployeeActor>, id: number) => findVisible(ctx, PortalClaim, id);
export const lockThese = (ctx: Context, ids: readonly number[]) => lockAll(ctx, Claims, ids);
export const asEvent = (ctx: Context, claim: Claim) => eventData(ctx, ClaimView, claim);
export const asEventsFor = async (ctx: Context, claims: readonly Claim[]) => {
  const dataOf = await eventDataFor(ctx, ClaimView, claims);
  return claims.map(dataOf);
};
export const asEventAtOnce = (claim: Claim) => eventDataWith(ClaimView, claim, {});
export const shownClaims = (ctx: Context, claims: readonly Claim[]) => show(ctx, ClaimView, claims);
export const shownAtOnce = (claim: Claim) => showWith(ClaimView, claim, {});

// Lists and search
export const ContractList = defineList({
  table: Contract,
  columns: ['contract_id', 'title', 'ends_on'],
  sorts: { title: by('title'), company: byOther({ via: 'company_number', table: Company, column: 'customer' }) },
});
export const ofCompany = (company_number: number): Filter[] => [is('company_number', company_number)];
export const pageOfContracts = (db: Db, where: readonly Filter[]) =>
  readPage(db, ContractList, { where, sort: 'title', direction: 'asc', page: 1, size: 25 });
export const total = (db: Db, where: readonly Filter[]) => countList(db, ContractList, where);
export async function titles(db: Db, where: readonly Filter[]): Promise<string[]> {
  const found: string[] = [];
  for await (const row of readAll(db, ContractList, { where, sort: 'title', direction: 'asc' })) found.push(row.title);
  return found;
}
export const ContractNames = defineNames(Contract, ['title'], ({ title }) => title);
const notesOf = (contract: { readonly title: string }): SearchTexts => ({ more: [contract.title] });
export const ContractSearch = searchable(Contract, {
  name: ['title'],
  through: { company_number: Company },
  texts: async () => notesOf,
  title: ({ title }) => title,
});
export const Searched = noun(Contract, { title: 'Contract', filters: () => ({ search: searched(Contract) }) });
export const whereVendor = (ctx: Context, q: string) => whereSearched(ctx, Contract, q);
export const everywhere = (ctx: Context, q: string) =>
  findRecords(ctx, { surface: 'admin', known: { tickets: ['ticket'] }, q, limit: 5 });
export const search = (q: string) => matching(q, ['warranty_contract.title']);
export const sameVendor = (one: string, other: string): boolean => normalised(one) === normalised(other);
export const wanted = (q: string) => searchedWords(q);
export const words = (title: string) => wordsIn(title, { longest: 40 });

// Counters
export const ContractCount = counterTable('warranty_contract_count', {
  of: Contract,
  dimensions: ['company_number', 'kind'],
  statistics: [statistic(Company, 'on_site_contracts', { kind: 'on-site' })],
});
/** Few per customer, so they are counted on demand. */
export const ClaimsNow: Counted = counted({
  of: Contract,
  dimensions: ['company_number'],
  statistics: [statistic(Company, 'warranty_contracts')],
});
export const countIn = (tx: Transaction, row: ContractRow) => count(tx, ContractCount, row);
export const contractsOf = (db: Db, company_number: number) => readCount(db, ContractCount, { company_number });
export const byKind = (db: Db) => readCounts(db, ContractCount, 'kind');
export async function onSite(ctx: Context, company_number: number): Promise<number> {
  const statisticsOf = await readStatistics(ctx, Company, [company_number], ['on_site_contracts']);
  return statisticsOf(company_number).on_site_contracts;
}
export function extend(ctx: Context, before: ContractRow, after: ContractRow): void {
  updateCounters(ctx, Contract, before, after);
}
