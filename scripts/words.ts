// Collects the messages of the product and compares them with the catalogues: `npm run words`. With `--write`, adds
// missing messages without a translation and removes dead ones.
import { readdirSync, readFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parse, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { languages, type Catalogue } from '@keelson/words';
import { countMessage, fieldLabel, labelOf, listMessages, nounOf } from '@keelson/words/labels';
import { parseAst } from 'rolldown/parseAst';
import { cataloguesIn, serverWords } from '../core/plugin/catalogues.ts';
import { loadInstallation } from '../core/plugin/load.ts';
import type { MailTemplate } from '../core/mail/mail-template.ts';
import type { Part } from '../core/plugin/part.ts';
import type { Plugin } from '../core/plugin/plugin.ts';
import type { BodyFields, Fields } from '../core/web/fields.ts';
import { madePages } from '../core/web/made-pages.ts';

const root = resolve(import.meta.dirname, '..');

/** The web kit with core, a module, or a plugin: its folder, and the messages in its source and declarations. */
export interface Area {
  readonly name: string;
  /** Its catalogues: `de.json`. */
  readonly words: string;
  readonly messages: ReadonlySet<string>;
}

/** Members of declarations that hold text for people. The kit translates them where it shows them. */
const LABELS: ReadonlySet<string> = new Set([
  'title',
  'empty',
  'confirm',
  'description',
  'label',
  'hint',
  'text',
  'what',
]);

/** Returns the messages of every area. */
export async function readAreas(): Promise<Area[]> {
  const { loaded } = await loadInstallation('plugins');
  const plugins = loaded.map(({ plugin }) => plugin);
  const areas = loaded
    .filter(({ source }) => source === 'module')
    .flatMap(({ plugin }): Area[] => {
      const folder = join(root, 'modules', plugin.id);
      const messages = new Set([...messagesIn(folder, 'browser'), ...declaredBy(plugin, plugins)]);
      const server = new Set([...messagesIn(folder, 'server'), ...(plugin.mailTemplates ?? []).flatMap(textsOfMail)]);
      const words = join(folder, 'words');
      return [
        { name: plugin.id, words, messages },
        { name: `${plugin.id}/server`, words: serverWords(words), messages: server },
      ];
    });
  const own = (side: Side) =>
    new Set([join(root, 'web'), join(root, 'core')].flatMap((each) => [...messagesIn(each, side)]));
  const words = join(root, 'web/words');
  const web = { name: 'web', words, messages: own('browser') };
  const core = { name: 'web/server', words: serverWords(words), messages: own('server') };
  return [web, core, ...areas];
}

/** Returns the texts of a mail that have words: the subject and the paragraphs. */
const textsOfMail = ({ subject, body }: MailTemplate): string[] =>
  [subject, ...body.split('\n\n')].filter((each) => /\p{L}/u.test(each.replaceAll(/\{\{.*?\}\}/gs, '')));

/** What is wrong with a catalogue, one line each. */
export function problemsOf({ name, words, messages }: Area, language: string): string[] {
  const catalogue = cataloguesIn(words)[language] ?? {};
  const where = `${name}/${language}`;
  return [
    ...[...messages].filter((each) => !catalogue[each]).map((each) => `${where}: missing: ${each}`),
    ...Object.keys(catalogue).flatMap((each) => {
      if (!messages.has(each)) return [`${where}: dead: ${each}`];
      const translated = catalogue[each] ?? '';
      return translated === '' || valuesOf(each.split('|')[0] ?? '') === valuesOf(translated)
        ? []
        : [`${where}: other values: ${each}`];
    }),
  ];
}

type Side = 'browser' | 'server';

/** The names of a message's values, sorted. @throws SyntaxError for a message that is not ICU syntax */
function valuesOf(message: string): string {
  // Mail templates are Liquid.
  const filled = [...message.matchAll(/\{\{\s*(\w+)/g)].map(([, name = '']) => name);
  if (filled.length > 0) return [...new Set(filled)].toSorted().join();
  const names = new Set<string>();
  const visit = (elements: readonly MessageFormatElement[]): void => {
    for (const each of elements) {
      // 0 is text, 7 the number within a plural.
      if (each.type !== 0 && each.type !== 7) names.add(each.value);
      if ('options' in each) for (const option of Object.values(each.options)) visit(option.value);
    }
  };
  visit(parse(message, { ignoreTag: true }));
  return [...names].toSorted().join();
}

interface Node {
  readonly type: string;
  readonly [member: string]: unknown;
}
const isNode = (given: unknown): given is Node => given instanceof Object && 'type' in given;

/** Returns the messages in the source files of a folder: those of pages and of choices, or those of the server. */
function messagesIn(folder: string, side: Side): Set<string> {
  const found = new Set<string>();
  for (const path of sourcesIn(folder)) {
    const short = relative(root, path);
    // Choices are shown as words.
    const chooses = /\/(?:entities|dropdowns)(?:\.ts|\/)/.test(short);
    // Declarations for pages are plain data, which the pages translate.
    const declares = /\/(?:console|portal)\/[^/]*\.ts$/.test(short);
    const add = (message: string) => found.add(message);
    const ofPages = chooses || /(?:^|\/)(?:web|console|portal|browser)\//.test(short) || short.endsWith('.tsx');
    if (ofPages !== (side === 'browser')) continue;
    walk(
      parseAst(readFileSync(path, 'utf8'), { lang: path.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node,
      (node) => {
        messagesOfCall(node, add);
        if (chooses) for (const each of choicesOf(node)) add(labelOf(each));
        if ((declares || chooses) && node.type === 'Property') {
          const { key, value } = node as unknown as { key: { name?: string }; value: { value?: unknown } };
          if (LABELS.has(key.name ?? '') && typeof value.value === 'string' && value.value) add(value.value);
        }
      },
    );
  }
  return found;
}

function messagesOfCall(node: Node, add: (message: string) => void): void {
  if (node.type === 'JSXAttribute') {
    const { name, value } = node as unknown as { name: { name: string }; value: { value?: unknown } | null };
    if (name.name === 'noun' && typeof value?.value === 'string') add(countMessage(value.value));
  }
  if (node.type !== 'CallExpression') return;
  const { callee, arguments: given } = node as unknown as { callee: Node; arguments: readonly Node[] };
  const name = callee.type === 'MemberExpression' ? (callee['property'] as { name?: string }).name : callee['name'];
  const [first, second, third] = given.map(literalsOf);
  if (name === 't' || name === 'rich' || name === 'worded' || name === 'signedOut') {
    const [context] = third ?? [];
    for (const each of first ?? []) add(context === undefined ? each : `${each}|${context}`);
  }
  if (name === 'counted') for (const each of second ?? []) add(countMessage(each));
  if (name === 'columnsOf') for (const each of columnsIn(given[0])) add(fieldLabel(each));
  if (name === 'words') for (const each of first ?? []) add(labelOf(each));
}

const textsIn = (nodes: readonly Node[]): string[] =>
  nodes.flatMap(({ value }) => (typeof value === 'string' ? [value] : []));

/** Returns the names in `columnsOf(['paid_at', 'amount'])`. */
const columnsIn = (node: Node | undefined): string[] =>
  node?.type === 'ArrayExpression' ? textsIn(node['elements'] as readonly Node[]) : [];

/** Returns the values of `choice('open', 'closed')` and of lists for it. */
function choicesOf(node: Node): string[] {
  const given = node as unknown as {
    callee?: { name?: string };
    arguments?: readonly Node[];
    elements?: readonly Node[];
  };
  const texts = textsIn(given.callee?.name === 'choice' ? (given.arguments ?? []) : (given.elements ?? []));
  return texts.filter((each) => /^[a-z]+(?:_[a-z]+)*$/.test(each) && !/_(?:id|key|at|on|number)$/.test(each));
}

/** Returns the texts that an argument may be: `t(open ? 'Close' : 'Open')`. */
function literalsOf(node: Node): string[] {
  if (node.type === 'Literal' && typeof node['value'] === 'string') return [node['value']];
  if (node.type !== 'ConditionalExpression') return [];
  return [...literalsOf(node['consequent'] as Node), ...literalsOf(node['alternate'] as Node)];
}

function walk(node: Node, see: (node: Node) => void): void {
  see(node);
  for (const value of Object.values(node))
    for (const each of Array.isArray(value) ? value : [value]) if (isNode(each)) walk(each, see);
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile() && /(?<!\.d)\.tsx?$/.test(each.name))
    .map((each) => join(each.parentPath, each.name))
    .toSorted();
}

/** Returns the messages that the kit makes of a plugin's declared lists, records and fields. */
function declaredBy(plugin: Plugin, plugins: readonly Plugin[]): Set<string> {
  const found = new Set<string>();
  for (const part of [plugin.console, plugin.portal]) {
    if (!part) continue;
    for (const list of part.lists) {
      const noun = nounOf(list);
      for (const each of [countMessage(noun), ...Object.values(listMessages(noun))]) found.add(each);
    }
    for (const { code } of madePages(plugins, part as Part)) {
      const declared: unknown = JSON.parse(code.slice(code.indexOf('(') + 1, code.lastIndexOf(')')));
      for (const each of labelsIn(declared)) found.add(each);
    }
  }
  return found;
}

const MEMBERS = ['columns', 'filters', 'facts', 'texts', 'fields'] as const;

/** Returns the labels of a declaration: of its parts, and of the fields that they show. */
function labelsIn(declared: unknown): string[] {
  if (Array.isArray(declared)) return declared.flatMap(labelsIn);
  if (!(declared instanceof Object)) return [];
  const it = declared as Readonly<Record<string, unknown>>;
  const shown = MEMBERS.flatMap((each) => (Array.isArray(it[each]) ? (it[each] as string[]) : []));
  const body = it['body'] as BodyFields | undefined;
  const asked = body ? (shown.length > 0 ? shown : Object.keys(body.fields)) : [];
  return [
    ...shown.map(fieldLabel),
    ...(Array.isArray(it['filters']) || Array.isArray(it['texts']) ? shown.map(labelOf) : []),
    ...asked.map((each) => fieldLabel(each.replace(/_number$/, '_name'))),
    ...[it['fields'], it['query'], body?.fields].flatMap((fields) => labelsOfFields(fields, [...shown, ...asked])),
    ...Object.entries(it).flatMap(([name, value]) => {
      if (LABELS.has(name) && typeof value === 'string') return [value];
      return ['fields', 'query', 'body'].includes(name) ? [] : labelsIn(value);
    }),
  ];
}

function labelsOfFields(fields: unknown, shown: readonly string[]): string[] {
  if (!(fields instanceof Object) || Array.isArray(fields)) return [];
  return shown.flatMap((name) => {
    const field = (fields as Fields)[name];
    if (!field) return [];
    const nested = Object.keys(field.fields ?? {});
    return [
      ...[field.title, field.description].filter((each) => each !== undefined),
      ...(field.enum ?? []).filter((each) => /[a-z]/.test(String(each))).map((each) => labelOf(String(each))),
      ...nested.map(fieldLabel),
      ...labelsOfFields(field.fields, nested),
    ];
  });
}

/** Adds missing messages and removes dead ones. Messages that another area has translated come with their translation. */
function write(areas: readonly Area[], language: string): void {
  const known: Record<string, string> = Object.assign(
    {},
    ...areas.map(({ words }) => cataloguesIn(words)[language] ?? {}),
  );
  for (const { words, messages } of areas) {
    const own: Catalogue = cataloguesIn(words)[language] ?? {};
    if (messages.size === 0) {
      rmSync(words, { recursive: true, force: true });
      continue;
    }
    const next = Object.fromEntries([...messages].toSorted().map((each) => [each, own[each] || known[each] || '']));
    if (!existsSync(words)) mkdirSync(words, { recursive: true });
    writeFileSync(join(words, `${language}.json`), `${JSON.stringify(next, undefined, 2)}\n`);
  }
}

if (import.meta.main) {
  const areas = await readAreas();
  for (const language of Object.keys(languages).filter((each) => each !== 'en')) {
    if (process.argv.includes('--write')) write(areas, language);
    const problems = areas.flatMap((each) => problemsOf(each, language));
    const all = areas.reduce((sum, { messages }) => sum + messages.size, 0);
    for (const each of problems) console.log(each);
    console.log(`${language}: ${all} messages in ${areas.length} catalogues, ${problems.length} problems`);
    if (problems.length > 0) process.exitCode = 1;
  }
}
