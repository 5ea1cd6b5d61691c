// The catalogues match the source.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { languages, translator } from '@keelson/words';
import { explainer } from '@keelson/words/explanations';
import { pseudo } from '@keelson/words/pseudo';
import test from 'ava';
import { cataloguesIn } from '../core/plugin/load/catalogues.ts';
import { termsOf } from '../core/web/plugin-terms.ts';
import directory from '../modules/directory/plugin.ts';
import { plainTexts } from '../scripts/plain-texts.ts';
import { sourcesIn } from '../scripts/syntax.ts';
import { problemsOf, readAreas, type Area } from '../scripts/words.ts';

// Reading every source takes seconds.
let areas: readonly Area[];
test.before(async () => {
  areas = await readAreas();
});

test('catalogues have no dead messages, translations have the values of their messages, and the kit is translated', (t) => {
  const others = Object.keys(languages).filter((each) => each !== 'en');
  const problems = areas.flatMap((area) => others.flatMap((each) => problemsOf(area, each)));
  // Pages outside the kit may show a new message in English until it is translated.
  const tolerated = (each: string) => each.includes(': missing: ') && !each.startsWith('web/');
  t.deepEqual(
    problems.filter((each) => !tolerated(each)),
    [],
  );
});

test('columns that a page names for its own table are messages', (t) => {
  const billing = areas.find(({ name }) => name === 'billing')?.messages;
  t.true(billing?.has('Statement number'), 'in an attribute');
  t.true(areas.find(({ name }) => name === 'inventory')?.messages.has('Billing cycle'), 'in a constant');
});

test('refusals of duplicates, and the state of an address, are messages', (t) => {
  const has = (area: string, message: string) => areas.find(({ name }) => name === area)?.messages.has(message);
  t.true(has('inventory/refusals', 'name {name} already exists'));
  t.true(has('crm/refusals', 'A lead with this email already exists'));
  // `State` is a word for a status, too.
  for (const area of ['directory', 'crm']) t.true(has(area, 'State or province'), area);
});

test('a missing record is not taken for another message', (t) => {
  const messages = areas.flatMap((area) => (area.refusals ? [...area.messages] : []));
  const explain = explainer(messages, (message) => message, { day: (day) => day, amount: (amount) => `${amount}` });
  for (const noun of ['Email template', 'Ticket', 'Invoice', 'Reply template'])
    t.is(explain(`${noun} not found`), '{noun} not found');
});

test('weekdays, colours and dropdown lists are messages of the pages that show them', (t) => {
  const has = (area: string, message: string) => areas.find(({ name }) => name === area)?.messages.has(message);
  t.true(has('reports', 'Sunday'));
  t.true(has('system', 'Secondary'));
  t.true(termsOf(directory).includes('Departments'), 'shared with the settings');
});

const NO_VERB: ReadonlySet<string> = new Set(['Continue', 'Preview', 'Test']);
/** The label of what a form or a dialog does. */
const ACT = /(?:submit=\{|act: )t\('([^']+)'(?:, \{\}, '(\w+)')?\)/g;

test('forms and dialogs name what they do with verbs in German', (t) => {
  const german = (folder: string) => cataloguesIn(folder)['de'] ?? {};
  const kit = german('web/words');
  const wrong = sourcesIn('modules')
    .filter((path) => path.endsWith('.tsx'))
    .flatMap((path) => {
      const own = german(join(...path.split('/').slice(0, 2), 'words'));
      return [...readFileSync(path, 'utf8').matchAll(ACT)]
        .map(([, text = '', context]) => (context ? `${text}|${context}` : text))
        .filter((message) => !NO_VERB.has(message) && !(own[message] ?? kit[message] ?? '').endsWith('n'));
    });
  t.deepEqual(wrong, []);
});

/** Names of products, protocols and keys, the same in every language, and sample data. */
const NAMES =
  /: (?:Gmail API|Google|Microsoft 365|Microsoft Graph|STARTTLS|TLS|Android|Chrome|ChromeOS|Edge|Firefox|Linux|Opera|Safari|Windows|Arrow\w+|Mod\+|Cork|Dublin)$/;

test('every text in a component comes from a catalogue', (t) => {
  t.deepEqual(
    plainTexts().filter((each) => !NAMES.test(each)),
    [],
  );
});

test('a message without a translation is shown in English', (t) => {
  const { t: translate } = translator('de', (key) => ({ Close: 'Schließen', 'Open|verb': 'Öffnen', Open: '' })[key]);
  t.is(translate('Close'), 'Schließen');
  t.is(translate('Open', {}, 'verb'), 'Öffnen');
  t.is(translate('Open'), 'Open');
});

test('plurals follow the language, and values may be elements', (t) => {
  const message = '{count, plural, one {# ticket} other {# tickets}}';
  const { t: translate, pieces } = translator('de', () => '{count, plural, one {# Ticket} other {# Tickets}}');
  t.is(translate(message, { count: 1 }), '1 Ticket');
  t.is(translate(message, { count: 1200 }), '1.200 Tickets');
  const element = { bold: 'Ada' };
  t.deepEqual(translator('en', () => undefined).pieces('Closed by {name}.', { name: element }), [
    'Closed by ',
    element,
    '.',
  ]);
  t.deepEqual(pieces('{name}', { name: element, count: 2 } as never), ['2 Tickets']);
});

test('the pseudo-language keeps values and plurals', (t) => {
  t.is(pseudo('Close {name}'), '[Čļóśé {name} ····]'.replace('Čļóśé', pseudo('Close').slice(1, 6)));
  const { t: translate } = translator('en', () => pseudo('{count, plural, one {# file} other {# files}}'));
  t.regex(translate('x', { count: 2 }), /^\[2 \S+ ·+\]$/);
});
