// The report builder: schedules in everyday terms, and drafts as requests.
import { translator } from '@keelson/words';
import test from 'ava';
import {
  bodyOf,
  comparisonsOf,
  draftOf,
  emptyDraft,
  operatorName,
  sortsOf,
  withOperator,
  type SourceField,
} from '../modules/reports/console/report-query.ts';
import { cronOf, rhythmOf, usualRhythm } from '../modules/reports/console/rhythm.ts';

const english = translator('en', () => undefined).t;
const field = (name: string, type: string, over: Partial<SourceField> = {}): SourceField => ({
  name,
  label: name,
  type,
  filterable: true,
  sortable: false,
  groupable: false,
  summable: false,
  periods: [],
  operators: ['eq'],
  choices: null,
  labels: null,
  ...over,
});
const known = [
  field('subject', 'text', { sortable: true }),
  field('status', 'choice', { choices: ['open', 'closed'], groupable: true }),
  field('minutes', 'number', { summable: true }),
  field('created_at', 'datetime', { periods: ['month'] }),
  field('total', 'money'),
];

test('a schedule is written as a cron expression and read back', (t) => {
  const every = [
    { ...usualRhythm, every: 'day', at: '00:05' },
    { ...usualRhythm, every: 'week', at: '08:30', weekday: 5 },
    { ...usualRhythm, every: 'month', at: '23:00', day: 28 },
  ] as const;
  t.deepEqual(every.map(cronOf), ['5 0 * * *', '30 8 * * 5', '0 23 28 * *']);
  t.deepEqual(
    every.map((each) => rhythmOf(cronOf(each))),
    [...every],
  );
});

test('any other expression is left unchanged', (t) => {
  for (const cron of [
    '*/5 * * * *',
    '0 8 1 * 1',
    '0 8 31 * *',
    '0 24 * * *',
    '0 8 * 1 *',
    '0 8 * * 1,2',
    '0 8 * * 2#2',
    '',
  ])
    t.is(rhythmOf(cron), undefined, cron);
});

test('incomplete parts of a draft are left out of the request', (t) => {
  const draft = {
    ...emptyDraft('tickets'),
    fields: ['subject'],
    filters: [
      { key: 0, field: 'status', operator: 'in', value: 'open, closed' },
      { key: 1, field: 'minutes', operator: 'between', value: '1, 5' },
      { key: 2, field: 'minutes', operator: 'between', value: '1' },
      { key: 3, field: 'subject', operator: 'eq', value: 'Mail, again' },
      { key: 4, field: 'subject', operator: 'empty', value: '' },
      { key: 5, field: 'subject', operator: 'eq', value: '' },
      { key: 6, field: 'gone', operator: 'eq', value: 'x' },
      { key: 7, field: 'total', operator: 'gte', value: '12.5' },
      { key: 8, field: 'status', operator: 'in', value: ['Cables, plugs'] },
      { key: 9, field: 'subject', operator: 'not_empty', value: '' },
    ],
    sort: [{ field: 'subject', order: 'desc' }],
  } as const;
  t.deepEqual(bodyOf(draft, known), {
    source: 'tickets',
    fields: ['subject'],
    filters: [
      { field: 'status', operator: 'in', value: ['open', 'closed'] },
      { field: 'minutes', operator: 'between', value: [1, 5] },
      { field: 'subject', operator: 'eq', value: 'Mail, again' },
      { field: 'subject', operator: 'empty', value: true },
      { field: 'total', operator: 'gte', value: 12.5 },
      { field: 'status', operator: 'in', value: ['Cables, plugs'] },
      { field: 'subject', operator: 'empty', value: false },
    ],
    group_by: null,
    aggregates: [],
    sort: [{ field: 'subject', order: 'desc' }],
  });
});

test('groups have aggregates instead of columns, and a stored report can be edited', (t) => {
  const draft = {
    ...emptyDraft('tickets'),
    fields: ['subject'],
    group_by: 'created_at:month',
    figures: [
      { key: 0, function: 'sum', field: 'minutes' },
      { key: 1, function: 'average', field: '' },
    ],
    sort: [{ field: 'sum_minutes', order: 'desc' }],
  } as const;
  const body = bodyOf(draft, known);
  t.like(body, { fields: [], group_by: 'created_at:month', aggregates: [{ function: 'sum', field: 'minutes' }] });
  const again = draftOf(body);
  t.deepEqual(bodyOf(again, known), body);
  t.deepEqual(
    sortsOf(again, known, english).map((each) => each.value),
    ['created_at:month asc', 'created_at:month desc', 'sum_minutes asc', 'sum_minutes desc'],
  );
  t.deepEqual(
    sortsOf(emptyDraft('tickets'), known, english).map((each) => each.label),
    ['subject, ascending', 'subject, descending'],
  );
});

test('what is not edited in a stored report stays as it is', (t) => {
  const stored = {
    ...{ source: 'tickets', fields: [], group_by: null, aggregates: [] },
    filters: [
      { field: 'subject', operator: 'in' as const, value: ['Cables, plugs', 'Mail'] },
      { field: 'subject', operator: 'empty' as const, value: false },
      { field: 'created_at', operator: 'gte' as const, value: '2026-03-01T08:00:00Z' },
      { field: 'lost', operator: 'eq' as const, value: 7 },
    ],
    sort: [
      { field: 'status', order: 'asc' as const },
      { field: 'subject', order: 'desc' as const },
    ],
  };
  const draft = draftOf(stored);
  t.deepEqual(bodyOf(draft, known), stored);
  t.deepEqual(bodyOf(draft, []), stored, 'even if the fields are not known yet');
  t.is(draft.filters[1]?.operator, 'not_empty');
});

test('a chosen value stays when the comparison takes several, and back', (t) => {
  const one = { key: 0, field: 'status', operator: 'eq', value: 'Cables, plugs' } as const;
  const several = { ...one, ...withOperator(one, 'in') };
  t.deepEqual(several.value, ['Cables, plugs']);
  t.is(withOperator(several, 'ne').value, 'Cables, plugs');
  t.deepEqual(withOperator({ ...one, operator: 'in', value: 'open, closed' }, 'between'), { operator: 'between' });
  t.deepEqual(comparisonsOf(field('subject', 'text', { operators: ['eq', 'empty'] })), ['eq', 'empty', 'not_empty']);
});

test('comparisons are labelled naturally for dates and numbers', (t) => {
  t.is(operatorName(known[3], 'gt', english), 'is after');
  t.is(operatorName(known[2], 'gt', english), 'is more than');
  t.is(operatorName(known[3], 'between', english), 'is between');
});
