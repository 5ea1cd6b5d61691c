// The activity log (ST-08): who changed what, one line per change, in the transaction of the change.
import type { Transaction } from '@keelson/database/db.ts';
import { choice, id, int, json, table, text, when, type Row, type Table } from '@keelson/database/schema/table.ts';
import { cutTo } from '@keelson/kit/characters.ts';
import { fromMinor } from '@keelson/kit/money.ts';
import type { Timestamp } from '@keelson/kit/time.ts';
import { z } from 'zod';

/** The author of a change (F-60) or comment (F-26). */
export interface Author {
  readonly type: 'technician' | 'employee' | 'api' | 'system' | 'assistant';
  /** `user_id`, `employee_number` or `key_id`; null for the system and for website visitors, who count as employees. */
  readonly id: number | null;
  readonly name: string;
}

/** The author of automatic changes: jobs, subscribers, commands. */
export const theSystem: Author = Object.freeze({ type: 'system', id: null, name: 'System' });

export interface RequestInfo {
  readonly id: string;
  /** The caller's address; forwarding headers count only as far as `TRUST_PROXY` allows. */
  readonly ip: string;
  /** Whether the client has disconnected, so that long work can stop. */
  readonly gone?: () => boolean;
  /** The language last used in the caller's browser, otherwise its preferred one. */
  readonly language?: () => string;
}

/** A line of the activity log (ST-08). It must not contain secrets. */
export interface Activity {
  readonly action: 'create' | 'update' | 'delete';
  readonly entity_type: string;
  readonly entity_id: string | number;
  readonly description: string;
  /** `{ field: [old, new] }`; for a secret field `['changed', 'changed']`. */
  readonly changes?: Readonly<Record<string, readonly [unknown, unknown]>>;
  /** The record to open for the change, in the activity of its company: the ticket for a comment. */
  readonly shownOn?: ShownOn | undefined;
}

export interface ShownOn {
  readonly of: Table;
  /** The row, or at least its key and its company. */
  readonly row: object;
  /** The record's type in the log, if it is not the table's name. */
  readonly type?: string;
}

/** A change as `[old, new]`. */
const Changes = z.record(z.string(), z.tuple([z.unknown(), z.unknown()]).readonly());
export type Changes = z.infer<typeof Changes>;

/**
 * Lines of the log (F-60). `author_id` is a technician, an employee or a key, depending on `author_type`; `user_id` is
 * always a technician.
 */
export const ActivityLine = table(
  'activity_log',
  {
    log_id: id(),
    author_type: choice('technician', 'employee', 'api', 'system', 'assistant').hidden(),
    author_id: int().nullable().hidden(),
    user_id: int().nullable(),
    user: text(200),
    action: choice('create', 'update', 'delete'),
    entity_type: text(60),
    entity_id: text(64),
    description: text(500),
    changes: json(Changes),
    ip_address: text(45),
    request_id: text(64).hidden(),
    /** The company it concerns, and the type and key of the record to open. Null for what concerns no company. */
    company_number: int().nullable().hidden(),
    record_type: text(60).nullable().hidden(),
    record_id: int().nullable().hidden(),
    /** The block that seals it (activity-chain.ts); null until then. */
    block_id: int().nullable().hidden(),
    created_at: when(),
  },
  [
    ['created_at'],
    ['action', 'created_at'],
    ['entity_type', 'created_at'],
    ['entity_type', 'entity_id', 'log_id'],
    ['user', 'created_at'],
    ['user_id', 'created_at'],
    ['company_number', 'log_id', 'record_type'],
    ['block_id'],
  ],
);

type Line = Row<typeof ActivityLine>;

export interface ActivityLog {
  store(
    tx: Transaction,
    activity: Activity,
    by: { readonly author: Author; readonly now: Timestamp; readonly request: RequestInfo },
  ): void;
}

export function createActivityLog(): ActivityLog {
  return {
    store(tx, { action, entity_type, entity_id, description, changes = {}, shownOn }, { author, now, request }) {
      tx.append(ActivityLine, {
        author_type: author.type,
        author_id: author.id,
        user_id: author.type === 'technician' ? author.id : null,
        user: cutTo(author.name, 200),
        action,
        entity_type,
        entity_id: String(entity_id),
        description: description.slice(0, 500),
        changes,
        ip_address: request.ip,
        request_id: request.id.slice(0, 64),
        ...placeOf(shownOn),
        created_at: now,
      });
    },
  };
}

function placeOf(shownOn: ShownOn | undefined): Pick<Line, 'company_number' | 'record_type' | 'record_id'> {
  const row: Readonly<Record<string, unknown>> = { ...shownOn?.row };
  const { company_number } = row;
  if (!shownOn || typeof company_number !== 'number')
    return { company_number: null, record_type: null, record_id: null };
  const { of, type = of.name } = shownOn;
  return { company_number, record_type: type, record_id: Number(row[of.primary]) };
}

/**
 * Returns the fields of `after` that differ from `before`, as `{ field: [old, new] }`; for secret fields
 * `['changed', 'changed']` instead of the values. Amounts have their response form: `total_minor` becomes `total`.
 */
export function changesBetween(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  secretFields: readonly string[] = [],
): Changes {
  const old = (field: string) => (Object.hasOwn(before, field) ? before[field] : undefined) ?? null;
  const changed = Object.entries(after).filter(
    ([field, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(old(field)),
  );
  return Object.fromEntries(
    changed.map(([field, value]) =>
      secretFields.includes(field) ? [field, ['changed', 'changed']] : shown(field, [old(field), value]),
    ),
  );
}

function shown(field: string, values: readonly [unknown, unknown]): [string, readonly [unknown, unknown]] {
  if (!field.endsWith(MINOR)) return [field, values];
  const [before, after] = values.map((each) => (typeof each === 'number' ? fromMinor(each) : each));
  return [field.slice(0, -MINOR.length), [before, after]];
}

const MINOR = '_minor';
