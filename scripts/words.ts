// Collects the messages of the product and compares them with the catalogues: `npm run words`. With `--write`, adds
// missing messages without a translation and removes dead ones.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parse, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { languages, type Catalogue } from '@keelson/words';
import { countMessage, fieldLabel, inputLabel, labelOf, listMessages, nounOf } from '@keelson/words/labels';
import { z } from 'zod';
import { cataloguesIn, refusalWords, serverWords } from '../core/plugin/load/catalogues.ts';
import { loadInstallation } from '../core/plugin/load/load.ts';
import type { Part } from '../core/plugin/page/part.ts';
import type { Plugin } from '../core/plugin/plugin.ts';
import { inputFields, type BodyFields, type Fields } from '../core/web/fields.ts';
import { madePages } from '../core/web/made-pages.ts';
import { termsOf } from '../core/web/plugin-terms.ts';
import type { MailTemplate } from '../packages/mail/mail-template.ts';
import { LABELS, literalsOf, parsed, sourcesIn, walk, type Node, type Showing } from './syntax.ts';

const root = resolve(import.meta.dirname, '..');

/** The web kit with core, a module, or a plugin: its folder, and the messages in its source and declarations. */
export interface Area {
  readonly name: string;
  /** Its catalogues: `de.json`. */
  readonly words: string;
  readonly messages: ReadonlySet<string>;
  /** Translations may omit values, because those in error messages are in English. */
  readonly refusals?: true;
}

/** Returns the messages of every area. */
export async function readAreas(): Promise<Area[]> {
  const { loaded } = await loadInstallation('plugins');
  const plugins = loaded.map(({ plugin }) => plugin);
  const read = loaded.flatMap(({ plugin, file }) => {
    if (file === undefined) return [];
    const folder = dirname(file);
    const messages = new Set([...messagesIn(folder, 'browser'), ...declaredBy(plugin, plugins)]);
    const server = [
      plugin.title,
      ...messagesIn(folder, 'server'),
      ...(plugin.mailTemplates ?? []).flatMap(textsOfMail),
    ];
    return [{ plugin, folder, messages, server }];
  });
  const shown = new Set(read.flatMap(({ messages, server }) => [...messages, ...server]));
  const areas = read.flatMap(({ plugin, folder, messages, server }): Area[] => {
    const words = join(folder, 'words');
    const offered = offeredBy(plugin).filter((each) => !shown.has(each));
    return [
      { name: plugin.id, words, messages },
      { name: `${plugin.id}/server`, words: serverWords(words), messages: new Set([...server, ...offered]) },
      { name: `${plugin.id}/refusals`, words: refusalWords(words), messages: refusalsIn(folder), refusals: true },
    ];
  });
  const ours = ['web', 'core', 'packages'].map((each) => join(root, each));
  const own = (side: Side) => new Set(ours.flatMap((each) => [...messagesIn(each, side)]));
  const words = join(root, 'web/words');
  const web = { name: 'web', words, messages: own('browser') };
  const core = { name: 'web/server', words: serverWords(words), messages: own('server') };
  const refusals = {
    name: 'web/refusals',
    words: refusalWords(words),
    messages: new Set(ours.flatMap((each) => [...refusalsIn(each)])),
  };
  return [web, core, { ...refusals, refusals: true }, ...areas];
}

/** Returns what the editor of workflows names in the caller's language: fields and choices of events and actions. */
function offeredBy({ events = [], workflowActions = [], workflowFields = [] }: Plugin): string[] {
  const shapes = events.flatMap(({ webhook, shape }) =>
    webhook === 'admin' && shape instanceof z.ZodObject ? shape : [],
  );
  const fields = [
    ...shapes,
    ...workflowActions.map(({ input }) => input),
    ...workflowFields.map((each) => each.shape),
  ].flatMap((each) => Object.entries(inputFields(each).fields));
  return fields.flatMap(([name, field]) => [
    field?.title ?? inputLabel(name),
    ...(field?.description === undefined ? [] : [field.description]),
    ...(field?.enum ?? []).map((each) => labelOf(String(each))),
  ]);
}

/** Returns the texts of a mail that contain words: its name, the subject and the paragraphs. */
const textsOfMail = ({ name, subject, body }: MailTemplate): string[] =>
  [name, subject, ...body.split('\n\n')].filter((each) => /\p{L}/u.test(each.replaceAll(/\{\{.*?\}\}/gs, '')));

/** Problems of a catalogue, one line each. */
export function problemsOf({ name, words, messages, refusals }: Area, language: string): string[] {
  const catalogue = cataloguesIn(words)[language] ?? {};
  const where = `${name}/${language}`;
  return [
    ...[...messages].filter((each) => !catalogue[each]).map((each) => `${where}: missing: ${each}`),
    ...Object.keys(catalogue).flatMap((each) => {
      if (!messages.has(each)) return [`${where}: dead: ${each}`];
      const translated = catalogue[each] ?? '';
      const [own, its] = [valuesOf(each.split('|')[0] ?? ''), valuesOf(translated)];
      const agrees = refusals ? its.split(',').every((value) => own.split(',').includes(value) || !value) : own === its;
      return translated === '' || agrees ? [] : [`${where}: other values: ${each}`];
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

/** Returns the messages in the source files of a folder: those of pages and enums, or those of the server. */
function messagesIn(folder: string, side: Side): Set<string> {
  const found = new Set<string>();
  for (const path of sourcesIn(folder)) {
    const short = relative(root, path);
    // Enum values are displayed as words.
    const chooses = /\/(?:entities|dropdowns)(?:\.ts|\/)/.test(short);
    // Declarations for pages are plain data, which the pages translate.
    const declares = /\/(?:console|portal)\/[^/]*\.ts$/.test(short);
    const add = (message: string) => found.add(message);
    const ofPages = chooses || /(?:^|\/)(?:web|console|portal|browser)\//.test(short) || short.endsWith('.tsx');
    if (ofPages !== (side === 'browser')) continue;
    walk(parsed(path), (node) => {
      messagesOfCall(node, add);
      if (short.endsWith('.tsx')) for (const each of namedColumns(node)) add(fieldLabel(each));
      if (chooses) for (const each of choicesOf(node)) add(labelOf(each));
      if ((declares || chooses) && node.type === 'Property') {
        const { key, value } = node as unknown as { key: { name?: string }; value: { value?: unknown } };
        if (LABELS.has(key.name ?? '') && typeof value.value === 'string' && value.value) add(value.value);
      }
    });
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
  // job(name, cron, run, { title })
  if (name === 'job') for (const each of textsOfMember(given[3], 'title')) add(each);
  // workflowAction(name, { title })
  if (name === 'workflowAction') for (const each of textsOfMember(given[1], 'title')) add(each);
  // admin.permission('tickets:read', controls)
  if (name === 'permission') for (const each of second ?? []) add(each);
  if (name === 'words') for (const each of first ?? []) add(labelOf(each));
}

const textsIn = (nodes: readonly Node[]): string[] =>
  nodes.flatMap(({ value }) => (typeof value === 'string' ? [value] : []));

/** Returns the names in `columnsOf(['paid_at', 'amount'])`. */
const columnsIn = (node: Node | undefined): string[] =>
  node?.type === 'ArrayExpression' ? textsIn(node['elements'] as readonly Node[]) : [];

/** Returns the names in `columns={['paid_at', 'amount']}` and `columns: ['paid_at', 'amount']`. */
function namedColumns(node: Node): string[] {
  const { name, key, value } = node as unknown as Showing;
  if (name?.name !== 'columns' && key?.name !== 'columns') return [];
  return columnsIn(value?.type === 'JSXExpressionContainer' ? (value['expression'] as Node) : (value ?? undefined));
}

/** Functions that throw an error for the caller. Their first text is the message. */
const REFUSING: ReadonlySet<string> = new Set([
  ...['invalid', 'conflict', 'duplicate', 'inUse', 'forbidden', 'tooMany', 'unavailable', 'tooLarge', 'signedOut'],
  ...['Problem', 'refuse', 'refused', 'problem'],
  // Errors that lists and pages show as the reason of a failure.
  ...['DeliveryError', 'MailRefused', 'MailboxAway', 'MailboxBusy', 'ServerAway', 'Unreadable'],
  ...['addSystemComment', 'systemComment'],
]);
/** Members and variables with recorded sentences that lists and pages show. */
const REASONS: ReadonlySet<unknown> = new Set(['reason', 'why', 'problem', 'skipReason', 'describe', 'taken']);
/** A phrase about a field, which is its subject. */
const PHRASE = /^(?:must|is|has|may|can|cannot) \w.*[^ ]$/s;
/** Messages of declarations and commands are for engineers. */
const FOR_ENGINEERS = /\/(?:plugin|process|demo|web|browser|console|portal)\/|command|testing|openapi|web-build/;

/**
 * Returns the error messages, recorded reasons and lines of the activity log in a folder's source, with template values
 * as `{name}`.
 */
function refusalsIn(folder: string): Set<string> {
  const found = new Set<string>();
  const programs = sourcesIn(folder)
    .filter((path) => !FOR_ENGINEERS.test(relative(root, path)))
    .map(parsed);
  const recording = new Map(programs.flatMap(recordingIn));
  const nouns = new Map(programs.flatMap(nounsIn));
  for (const program of programs) {
    const constants = new Map<string, string[]>();
    walk(program, (node) => {
      const { id, init } = node as unknown as { id?: { name?: string }; init?: Node };
      if (node.type === 'VariableDeclarator' && id?.name && init) constants.set(id.name, templatesOf(init));
    });
    const textsOfArgument = (node: Node): string[] => {
      if (node.type === 'ConditionalExpression')
        return [node['consequent'] as Node, node['alternate'] as Node].flatMap(textsOfArgument);
      if (node.type === 'ArrowFunctionExpression') return textsOfArgument(node['body'] as Node);
      // `text.slice(0, 500)`
      const { callee } = node as unknown as { callee?: { object?: Node; property?: { name?: string } } };
      if (callee?.property?.name === 'slice' && callee.object) return textsOfArgument(callee.object);
      return constants.get(String(node['name'])) ?? templatesOf(node);
    };
    walk(program, (node) => {
      const { callee, arguments: given = [], left, right, key, value, id, init } = node as unknown as Showing;
      const reason = REASONS.has(key?.name) ? value : REASONS.has(id?.name) ? init : undefined;
      for (const each of linesOfRecord(node, nouns)) found.add(each);
      for (const each of descriptionsIn(node).flatMap(textsOfArgument)) found.add(each);
      const told = callee?.name === 'explained' ? given[0] : given[recording.get(String(callee?.name)) ?? given.length];
      if (told) for (const each of textsOfArgument(told).filter(hasWords)) found.add(each);
      const said = REFUSING.has(String(callee?.name))
        ? given.flatMap(textsOfArgument)
        : reason
          ? textsOfArgument(reason)
          : node.type === 'AssignmentPattern' && left?.name === 'message' && right
            ? templatesOf(right)
            : templatesOf(node).filter((each) => PHRASE.test(each));
      for (const each of said) if (/\p{L} \p{L}/u.test(each.replaceAll(/\{.*?\}/g, ''))) found.add(each);
    });
  }
  return found;
}

/** Tests for a text with at least one word besides its values. */
const hasWords = (text: string): boolean => /\p{L}{3}/u.test(text.replaceAll(/\{.*?\}/g, ''));

/** Returns the functions in a file that record their parameter `description` in the activity log, with its position. */
function recordingIn(program: Node): [string, number][] {
  const found: [string, number][] = [];
  walk(program, (node) => {
    const { id, params = [] } = node as unknown as { id?: { name?: string } | null; params?: readonly Node[] };
    const at = params.findIndex((each) => each['name'] === 'description');
    if (id?.name && at !== -1) found.push([id.name, at]);
  });
  return found;
}

/** Returns the description in a line for the activity log: `{ entity_type, description }`, `changeSetting(ctx, …)`. */
function descriptionsIn(node: Node): Node[] {
  const { callee, arguments: given = [] } = node as unknown as Showing;
  const records = callee?.name === 'changeSetting' ? given.flatMap(membersOf) : membersOf(node);
  const names = records.map(({ key }) => String(key?.name));
  if (callee?.name !== 'changeSetting' && !names.some((each) => ['entity_id', 'action'].includes(each))) return [];
  return records.flatMap(({ key, value }) => (key?.name === 'description' && value ? [value] : []));
}

const membersOf = (node: Node | undefined): readonly Showing[] =>
  node?.type === 'ObjectExpression' ? (node['properties'] as readonly Showing[]) : [];

/** Returns the titles of the nouns declared in a file, by their names in code. */
function nounsIn(program: Node): [string, string][] {
  const found: [string, string][] = [];
  walk(program, (node) => {
    const { id, init } = node as unknown as Showing;
    const { callee, arguments: given = [] } = (init ?? {}) as Showing;
    const [title] = callee?.name === 'noun' ? textsOfMember(given[1], 'title') : [];
    if (title !== undefined) found.push([String(id?.name), title]);
  });
  return found;
}

/** Returns the lines that a record's declaration writes to the activity log: `Company {name} created`, and so on. */
function linesOfRecord(node: Node, nouns: ReadonlyMap<string, string>): string[] {
  const { callee, arguments: given = [] } = node as unknown as Showing;
  if (callee?.name !== 'record') return [];
  const [title = nouns.get(String(given[0]?.['name']))] = ['logTitle', 'title'].flatMap((each) =>
    textsOfMember(given[1], each),
  );
  return title === undefined ? [] : ['created', 'updated', 'deleted'].map((each) => `${title} {name} ${each}`);
}

const textsOfMember = (node: Node | undefined, name: string): string[] =>
  membersOf(node).flatMap(({ key, value }) => (key?.name === name && value ? literalsOf(value) : []));

/** Returns the texts that an argument may have, with template values as `{name}`. Literal braces are not supported. */
function templatesOf(node: Node): string[] {
  if (node.type !== 'TemplateLiteral') return literalsOf(node).filter((each) => !each.includes('{'));
  const { quasis, expressions } = node as unknown as { quasis: { value: { cooked: string } }[]; expressions: Node[] };
  if (quasis.some(({ value }) => value.cooked.includes('{'))) return [];
  const names = expressions.map(nameOfValue);
  const own = names.map((each, at) => (names.indexOf(each) === at ? each : `${each}${at + 1}`));
  return [quasis.map(({ value }, at) => (at < own.length ? `${value.cooked}{${own[at]}}` : value.cooked)).join('')];
}

/** Names a value after its expression: `MOST` for `${MOST}`, `status` for `${ticket.status}`. */
function nameOfValue(node: Node): string {
  const { name, property } = node as unknown as { name?: string; property?: { name?: string } };
  return name ?? property?.name ?? 'value';
}

/** Returns the values of `choice('open', 'closed')` and of lists passed to it. */
function choicesOf(node: Node): string[] {
  const given = node as unknown as {
    callee?: { name?: string };
    arguments?: readonly Node[];
    elements?: readonly Node[];
  };
  const texts = textsIn(given.callee?.name === 'choice' ? (given.arguments ?? []) : (given.elements ?? []));
  return texts.filter((each) => /^[a-z]+(?:_[a-z]+)*$/.test(each) && !/_(?:id|key|at|on|number)$/.test(each));
}

/** Returns the messages that the kit generates for a plugin's declared lists, records and fields. */
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
  for (const each of termsOf(plugin)) found.add(each);
  for (const each of namesGrouped(plugin.id, plugins)) found.add(each);
  return found;
}

/** Returns what ChoiceGroups shows: events on the pages of webhooks, and permissions on those of keys. */
function namesGrouped(id: string, plugins: readonly Plugin[]): string[] {
  if (id === 'webhooks') {
    const events = plugins.flatMap((each) => (each.events ?? []).filter(({ webhook }) => webhook === 'admin'));
    return events.flatMap(({ name }) => [labelOf(name), ...name.split('.').map(labelOf)]);
  }
  if (id !== 'accounts') return [];
  const permissions = plugins.flatMap((each) => each.permissions ?? []);
  return permissions.flatMap(({ name }) => {
    const [group = '', act = ''] = name.split(':').map(labelOf);
    return [group, `${act}|permissions`];
  });
}

const MEMBERS = ['columns', 'filters', 'facts', 'texts', 'fields'] as const;

/** Returns the labels of a declaration: of its parts, and of the fields they display. */
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
    ...asked.map(inputLabel),
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
      ...Object.values(field.labels ?? {}),
      ...nested.map(fieldLabel),
      ...labelsOfFields(field.fields, nested),
    ];
  });
}

/** Adds missing messages and removes dead ones. Messages that another area has translated get that translation. */
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
