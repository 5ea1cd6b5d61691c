// Displays the value of any field.
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { FieldInfo } from '../fields.ts';
import { Cron } from '../form/cron.tsx';
import { RecordName } from '../form/record-field.tsx';
import { fileSize, money, number, percent, plainText, unitPrice, words } from '../format.ts';
import { useRecordLink, useSession } from '../shell/session.tsx';
import { t } from '../shell/words.ts';
import { Explained } from './explained.tsx';
import { Badge, Phone, Time, type Tone } from './parts.tsx';

const statesOf: Readonly<Record<Exclude<Tone, 'muted' | 'accent'>, string>> = {
  ok: 'active online ok paid completed resolved approved accepted success healthy published passed closed valid won done operational good',
  warn: 'warning expiring expiring_soon pending partial in_progress degraded medium submitted never_tested stale monitoring',
  danger: 'critical failed expired offline rejected error high major lost down overdue disabled bad',
  info: 'open new sent info scheduled running investigating identified queued low minor draft',
};
const tones: ReadonlyMap<string, Tone> = new Map(
  Object.entries(statesOf).flatMap(([tone, states]) =>
    states.split(' ').map((state) => [state, tone as Tone] as const),
  ),
);

/** Tones that depend on the resource: an active outage is bad. */
const tonesOfNoun: Readonly<Partial<Record<string, Readonly<Partial<Record<string, Tone>>>>>> = {
  outage: { active: 'danger', open: 'danger' },
  alert: { open: 'danger', acknowledged: 'warn' },
  error: { open: 'danger' },
  /** Technicians may be offline. */
  user: { offline: 'muted' },
};

/** Returns the tone of a status, optionally of a resource such as `outage`; neutral words are muted. */
export function toneOf(state: string, noun = ''): Tone {
  const word = state.toLowerCase().replaceAll(' ', '_');
  return tonesOfNoun[noun]?.[word] ?? tones.get(word) ?? 'muted';
}

/** Returns the resource of a row, whose first key is its id. */
const nounOf = (row: Readonly<Record<string, unknown>>): string => Object.keys(row)[0]?.replace(/_id$/, '') ?? '';

/** Fields with machine values: `backup_failed`, `ticket.created`. */
const WORDS = /(^|_)(type|kind|template|events?|action|trigger|method|source|outcome)$/;
const asWords = (text: string): string => (/^[a-z][a-z0-9]*([._][a-z0-9]+)*$/.test(text) ? words(text) : text);

const MONEY =
  /^(amount|total|balance|price|cost|subtotal|tax|value|amount_\w+|\w+_(amount|price|cost|total|value|due))$/;
const COUNT = /(^|_)(quantity|count|seats|used|bytes|size)$/;

/** Fields in which the server records why something is as it is. */
const REASON = /^(problem|error|last_error|notification_error)$/;
/** The same for records whose key is given: people write the reasons and descriptions of others. */
const recordedBy: Readonly<Partial<Record<string, readonly string[]>>> = {
  description: ['log_id'],
  message: ['alert_id'],
  opening: ['holiday_id'],
  reason: ['received_id', 'result_id'],
};
const isRecorded = (name: string, row: ValueProps['row']): boolean =>
  REASON.test(name) || (recordedBy[name] ?? []).some((key) => key in row);

/** Returns a field's text for headings: `Backup failed` for an `alert_type`. */
export const textOf = (name: string, value: unknown): string =>
  WORDS.test(name) ? asWords(plainText(value)) : plainText(value);

export interface ValueProps {
  readonly name: string;
  readonly value: unknown;
  readonly field?: FieldInfo | undefined;
  /** The whole record, for its currency and the names behind ids. */
  readonly row: Readonly<Record<string, unknown>>;
}

export function Value({ name, value, field, row }: ValueProps) {
  const link = useRecordLink();
  const { records, tenant } = useSession();
  if (value === null || value === undefined || value === '') return <span className="tone-muted">–</span>;
  if (typeof value === 'boolean') return value ? t('Yes') : t('No');
  if (Array.isArray(value)) {
    if (value.some((each) => typeof each === 'object')) return `${value.length}`;
    return (WORDS.test(name) ? value.map((each) => asWords(plainText(each))) : value).join(', ');
  }
  if (typeof value === 'object') return described(value);
  const text = plainText(value);
  const label = field?.labels?.[text];
  if (label !== undefined) return t(label);
  if (isRecorded(name, row)) return <Explained text={text} />;
  if (/(^|_)(status|state|severity|result|health|priority_name|stage)$/.test(name) && typeof value === 'string')
    return <Badge tone={toneOf(text, nounOf(row))}>{words(text, name)}</Badge>;
  const about = records.find((each) => named(each.type, name));
  const id = about && row[about.id];
  const to = about && id ? link(about.type, id as number) : undefined;
  if (to) return <Link href={to}>{text}</Link>;
  if (name === 'assigned_to' && typeof value === 'number') return <RecordName type="technician" id={value} />;
  if (name === 'entity_type' && typeof row.entity_id === 'number') {
    const entity = records.find(({ type }) => type === text || type === `crm_${text}`);
    const page = entity && link(entity.type, row.entity_id);
    const shown = row.entity_name ? `${words(text)}: ${plainText(row.entity_name)}` : words(text);
    return page ? <Link href={page}>{shown}</Link> : shown;
  }
  if (field?.format === 'date-time' || /^\d{4}-\d\d-\d\dT/.test(text)) return <Time at={text} />;
  if (field?.format === 'date' || /^\d{4}-\d\d-\d\d$/.test(text)) return <Time at={text} form="date" />;
  if (MONEY.test(name) && Number.isFinite(Number(value)))
    return (name === 'unit_price' ? unitPrice : money)(text, (row.currency as string | undefined) ?? tenant.currency);
  if (/(^|_)(tax_rate|probability)$/.test(name)) return percent(Number(text));
  if (name === 'cron') return <Cron line={text} />;
  if (/^(prefix|api_key)$/.test(name)) return <code>{text}</code>;
  if (name.endsWith('_ms')) return t('{number} ms', { number: number(Number(text)) });
  if (/(^|_)(size|bytes)$/.test(name) && typeof value === 'number') return fileSize(value);
  if (text.startsWith('https://'))
    return (
      <a href={text} rel="noreferrer" target="_blank">
        {text}
      </a>
    );
  if (/(^|_)phone$/.test(name)) return <Phone number={text} />;
  if (typeof value === 'number' && !/(_id|_number|^id|year|port|vlan)$/.test(name)) return number(value);
  return field?.enum ? words(text) : WORDS.test(name) ? asWords(text) : text;
}

/** Describes an object; of a schedule when it is due: `At 07:00, only on Monday`. */
function described({ cron, ...value }: { readonly cron?: unknown }): ReactNode {
  // Its format and recipients are shown on the record's own page.
  if (typeof cron === 'string') return <Cron line={cron} />;
  const said = Object.entries(value).filter(([, each]) => each !== null && each !== '');
  const spoken = (each: unknown) =>
    Array.isArray(each)
      ? each.map(plainText).join(', ')
      : typeof each === 'object'
        ? JSON.stringify(each)
        : plainText(each);
  return said.map(([name, each]) => `${words(name)}: ${spoken(each)}`).join(' · ');
}

/** Tests for fields that name another record: `company_name`, `customer` or `site_name`. */
const named = (type: string, name: string): boolean =>
  name === `${type}_name` ||
  (type === 'company' && name === 'customer') ||
  (type === 'ticket' && name === 'ticket_number');

/** Returns the column style for a field. */
export function lookOf(name: string, field: FieldInfo | undefined): string {
  if ((MONEY.test(name) && name !== 'value') || name.endsWith('_percent')) return 'right';
  const isNumber =
    field && field.type !== 'unknown'
      ? field.type === 'number' || (field.type === 'integer' && !/(_id|_number)$/.test(name))
      : name === 'value' || COUNT.test(name);
  return isNumber ? 'right' : 'muted';
}

export const widthOf = (name: string, field: FieldInfo | undefined, first: boolean): string => {
  if (first) return name.endsWith('_number') ? '8.5rem' : 'minmax(10rem, 2fr)';
  if (field?.format?.startsWith('date') || /_at$|_date$/.test(name)) return '7.5rem';
  if (field?.type === 'boolean') return '6.5rem';
  if (field?.type === 'integer' || field?.type === 'number') return '7rem';
  // With the record's name.
  if (name === 'entity_type') return 'minmax(8.5rem, 1.5fr)';
  if (field?.enum || /status|state|severity|type/.test(name)) return '8.5rem';
  return named('company', name) ? 'minmax(8rem, 1.5fr)' : 'minmax(6rem, 1fr)';
};
