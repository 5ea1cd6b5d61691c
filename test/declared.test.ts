// Every noun declares what search, reports, live changes and attachments need, or states a reason.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Table } from '@keelson/core';
import test from 'ava';
import { loadInstallation } from '../core/plugin/load/load.ts';
import type { ReportSource } from '../core/record/report/report-source.ts';
import type { Searchable } from '../core/search/searchable.ts';
import type { BodyFields } from '../core/web/fields.ts';
import { madePages } from '../core/web/made-pages.ts';
import { pickerOf } from '../web/kit/form/picker-of.ts';
import { root, sourcesOf } from './_source.ts';

const { loaded } = await loadInstallation('plugins');
const plugins = loaded.map(({ plugin }) => plugin);

type Mechanism = 'search' | 'report' | 'live';

/** Nouns to which people attach files. */
const withFiles = ['asset', 'contract', 'kb_article', 'ticket'];

/** Nouns with missing declarations, and the reasons. */
const few = 'a short list that is read whole';
const setting = 'a setting of administrators';
const part = 'a part of its record, which is found, reported on and heard of';
const personal = 'somebody’s own, and short';
const reasons: Readonly<Record<string, Partial<Record<Mechanism, string>>>> = {
  absence: { search: few, report: few },
  api_key: { search: setting, report: setting },
  asset_credential: { search: 'a secret', report: 'a secret', live: part },
  asset_port: { search: part, report: part, live: part },
  backup_machine: { search: part, report: part, live: part },
  backup_state: { search: 'a figure of a company', report: 'a figure of a company' },
  collector: { report: few },
  crm_activity: { search: part, report: part, live: part },
  crm_note: { search: part, report: part, live: part },
  custom_field: { search: setting, report: setting },
  discovery_job: { search: 'it has no words, but a subnet' },
  level_calendar: { search: setting, report: setting },
  level_holiday: { search: setting, report: setting },
  level_policy: { search: setting, report: setting },
  mailbox: { search: setting, report: setting },
  mailbox_rule: { search: setting, report: setting },
  employee_address: { search: part, report: part, live: part },
  kb_category: { search: few, report: few },
  manager_group: { search: few, report: few },
  outage_service: { search: few, report: few },
  outage_subscriber: { search: few, report: few },
  payment: { search: 'found by its invoice' },
  project_phase: { search: part, report: part },
  punch_item: { search: part, report: part },
  report: { search: few, report: few },
  report_spreadsheet: { search: setting, report: setting },
  restore_drill: { search: few },
  reply_template: { search: personal, report: personal },
  appointment: { search: part, report: part },
  rota_override: { search: few, report: few },
  saved_view: { search: personal, report: personal },
  team: { search: setting, report: setting },
  team_member: { search: part, report: part },
  ticket_template: { search: setting, report: setting },
  recurring_ticket: { search: setting, report: setting },
  escalation_step: { search: part, report: part },
  webhook: { search: setting, report: setting },
  workflow: { search: setting, report: setting },
};

const declared = {
  search: new Set(plugins.flatMap(({ search = [] }) => search.map((each) => (each as Searchable).table.name))),
  report: new Set(
    plugins.flatMap(({ reports = [] }) => reports.map((each) => (each as ReportSource).view.of.table.name)),
  ),
  live: new Set(plugins.flatMap(({ live = [] }) => live.map((each) => each.of.name))),
};
const files = new Set(plugins.flatMap(({ attachments = [] }) => attachments.map((each) => each.of.name)));

/** Returns the tables of all records: nouns that are created, changed and removed on their own. */
async function nouns(): Promise<string[]> {
  const found = new Set<string>();
  for (const { path, code } of sourcesOf(['modules'])) {
    const names = [...code.matchAll(/export const (\w+) = record\(/g)].map(([, name = '']) => name);
    if (names.length === 0) continue;
    const its: Readonly<Record<string, { readonly table: Table }>> = await import(pathToFileURL(join(root, path)).href);
    for (const name of names) found.add(its[name]?.table.name ?? `${path} ${name}`);
  }
  return [...found].toSorted();
}

test('every noun is searchable, reportable and live, or has a documented reason', async (t) => {
  const all = await nouns();
  t.true(all.length > 30, `${all.length} nouns`);
  const mechanisms = ['search', 'report', 'live'] as const;
  const missing = all.flatMap((noun) =>
    mechanisms
      .filter((each) => !declared[each].has(noun) && reasons[noun]?.[each] === undefined)
      .map((each) => `${noun}: ${each}`),
  );
  t.deepEqual(missing, []);
  const needless = Object.entries(reasons).flatMap(([noun, its]) =>
    mechanisms
      .filter((each) => its[each] !== undefined && (declared[each].has(noun) || !all.includes(noun)))
      .map((each) => `${noun}: ${each}`),
  );
  t.deepEqual(needless, [], 'reasons that nothing needs');
});

test('tickets, assets, contracts and articles have attachments', (t) => {
  t.deepEqual(
    withFiles.filter((each) => !files.has(each)),
    [],
  );
});

/** Fields of forms that are no record: they are counted, or have a form of their own. */
const plainNumbers = new Set(['port_number', 'vlan_number']);

test('no form asks for the id of a record: people choose records by name', (t) => {
  const records = plugins.flatMap(({ console: part }) => part?.records ?? []) as never;
  const numbers = plugins.flatMap((plugin) =>
    [plugin.console, plugin.portal].flatMap((part) =>
      part ? madePages(plugins, part).flatMap(({ name, code }) => formsIn(parsed(code), name)) : [],
    ),
  );
  t.true(numbers.length > 50, `${numbers.length} forms`);
  const asked = numbers.flatMap(({ where, names, body }) =>
    names.flatMap((name) => {
      const field = body.fields[name];
      const isId = /_(?:id|number|employee|by|to)$/.test(name) || field?.record !== undefined;
      if (field?.type !== 'integer' || !isId || plainNumbers.has(name) || pickerOf(records, name, field)) return [];
      return `${where}: ${name}`;
    }),
  );
  t.deepEqual(asked, []);
});

const parsed = (code: string): unknown => JSON.parse(code.slice(code.indexOf('(') + 1, code.lastIndexOf(')')));

interface Form {
  readonly where: string;
  readonly names: readonly string[];
  readonly body: BodyFields;
}

/** Returns the forms of a page made from a declaration. */
function formsIn(declared: unknown, where: string): Form[] {
  if (!(declared instanceof Object)) return [];
  const { body, fields } = declared as { readonly body?: BodyFields; readonly fields?: unknown };
  const own = body?.fields && { where, body, names: Array.isArray(fields) ? fields : Object.keys(body.fields) };
  const inner = Object.entries(declared).flatMap(([name, each]) => (name === 'body' ? [] : formsIn(each, where)));
  return own ? [own, ...inner] : inner;
}
