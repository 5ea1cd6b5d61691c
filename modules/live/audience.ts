// Decides who receives which changes. The provider's staff receive what their permissions cover; a customer's people
// what they could open: records of their company that the record's own conditions show them.
import { listed, sql, type App, type Sql } from '@keelson/core';
import { joined } from '@keelson/core/database';
import { name } from '@keelson/core/database';
import { filterSql } from '@keelson/core/list';
import type { LiveRecord } from '@keelson/core/plugin';
import type { SeenChange } from './changes.ts';
import type { Listener } from './listener.ts';

export type Heard = ReadonlyMap<Listener, readonly SeenChange[]>;

/** The live records that plugins declare, by table. */
export type LiveRecords = ReadonlyMap<string, { readonly live: LiveRecord; readonly module: string | undefined }>;

/** Maximum conditions per statement. */
const MOST_CONDITIONS = 40;

export function liveRecords({ plugins }: App): LiveRecords {
  return new Map(
    plugins.flatMap(({ id, perCompany, live = [] }) =>
      live.map((each) => [each.of.name, { live: each, module: perCompany ? id : undefined }] as const),
    ),
  );
}

/**
 * Returns the changes that each listener receives. The number of statements depends only on the number of tables and
 * distinct conditions.
 */
export async function audienceOf(
  app: App,
  records: LiveRecords,
  listeners: readonly Listener[],
  changes: readonly SeenChange[],
): Promise<Heard> {
  const heard = new Map<Listener, SeenChange[]>();
  const hears = (listener: Listener, some: readonly SeenChange[]): void => {
    const known = heard.get(listener);
    if (known) known.push(...some);
    else if (some.length > 0) heard.set(listener, [...some]);
  };
  const byCompany = Map.groupBy(listeners, (each) => each.company);
  const staff = byCompany.get(undefined) ?? [];
  byCompany.delete(undefined);
  for (const [type, some] of Map.groupBy(changes, (each) => each.type)) {
    const record = records.get(type);
    if (!record) continue;
    const { live, module } = record;
    for (const each of staff) if (mayHear(each, live)) hears(each, live.personal ? ownOf(each, some) : some);
    if (!live.helpdesk) continue;
    const conditions = new Map<string, Condition>();
    for (const [company = 0, people] of byCompany) {
      const theirs = some.filter((each) => !each.internal && isOf(each, company, live));
      if (theirs.length === 0 || !(await isOn(app, company, module))) continue;
      for (const each of people) {
        if (!mayHear(each, live)) continue;
        if (live.helpdesk.visible) addCondition(conditions, live, each, theirs);
        else hears(each, theirs);
      }
    }
    for (const { people, changes: seen } of await whatIsVisible(app, live, [...conditions.values()]))
      for (const each of people)
        hears(
          each,
          seen.filter((change) => !isGone(change, live.of) || isBy(change, each)),
        );
  }
  return inOrder(heard);
}

function mayHear(listener: Listener, live: LiveRecord): boolean {
  const known = listener.allowed.get(live);
  if (known !== undefined) return known;
  const access = listener.company === undefined ? live.admin : live.helpdesk?.access;
  const may = access?.allows(listener.ctx.actor) ?? false;
  listener.allowed.set(live, may);
  return may;
}

/** Returns the changes of the listener's own record. */
function ownOf({ ctx: { author } }: Listener, changes: readonly SeenChange[]): readonly SeenChange[] {
  return author.type === 'technician' ? changes.filter((each) => each.record_id === author.id) : [];
}

function isOf({ company_number }: SeenChange, company: number, { helpdesk }: LiveRecord): boolean {
  return company_number === null ? helpdesk?.common === true : company_number === company;
}

async function isOn(app: App, company: number, module: string | undefined): Promise<boolean> {
  return module === undefined || app.switches.enabled(app.system(), company, module);
}

/** What a view shows of the changed rows; people who see the same share a condition. */
interface Condition {
  readonly where: Sql;
  readonly people: Listener[];
  readonly changes: readonly SeenChange[];
}

function addCondition(all: Map<string, Condition>, live: LiveRecord, who: Listener, changes: readonly SeenChange[]) {
  const where = joined((live.helpdesk?.visible?.(who.ctx) ?? []).map((each) => filterSql(live.of, each)));
  const key = JSON.stringify([who.company, where.text, where.params]);
  const known = all.get(key);
  if (known) known.people.push(who);
  else all.set(key, { where, people: [who], changes });
}

async function whatIsVisible(app: App, { of }: LiveRecord, all: readonly Condition[]): Promise<Condition[]> {
  const found: Condition[] = [];
  for (let at = 0; at < all.length; at += MOST_CONDITIONS) {
    const some = all.slice(at, at + MOST_CONDITIONS);
    const key = name(`${of.name}.${of.primary}`);
    const asked = some.map(({ where, changes }, i) => {
      const ids = listed([...new Set(changes.map((each) => each.record_id))]);
      return sql`SELECT ${i} AS who, ${key} AS id FROM ${name(of.name)} WHERE ${key} IN ${ids} AND ${where}`;
    });
    const rows = await app.database.query<{ who: unknown; id: unknown }>(joined(asked, ' UNION ALL '));
    const visible = new Set(rows.map(({ who, id }) => `${Number(who)} ${Number(id)}`));
    for (const [i, condition] of some.entries()) {
      const changes = condition.changes.filter((each) => isGone(each, of) || visible.has(`${i} ${each.record_id}`));
      found.push({ ...condition, changes });
    }
  }
  return found;
}

/**
 * Whether the row is deleted for good. No one can tell who could see it, so only the person who deleted it receives the
 * change.
 */
function isGone({ kind }: SeenChange, { columns }: LiveRecord['of']): boolean {
  return kind === 'removed' && !('deleted_at' in columns);
}

const isBy = ({ author_type, author_id }: SeenChange, { ctx: { author } }: Listener): boolean =>
  author.type === author_type && author.id === author_id;

function inOrder(heard: ReadonlyMap<Listener, SeenChange[]>): Heard {
  for (const each of heard.values()) each.sort((a, b) => a.change_id - b.change_id);
  return heard;
}
