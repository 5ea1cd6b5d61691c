// Finds texts of components that do not come from a catalogue.
import { join, relative, resolve } from 'node:path';
import { LABELS, literalsOf, parsed, sourcesIn, walk, type Node, type Showing } from './syntax.ts';

const root = resolve(import.meta.dirname, '..');

/** Attributes and members that contain text for people. */
const SHOWN: ReadonlySet<string> = new Set([...LABELS, 'act', 'alt', 'aria-label', 'none', 'placeholder', 'submit']);

/** Returns the texts of components that do not come from a catalogue, with their files. */
export function plainTexts(): string[] {
  const folders = ['web', 'modules', 'plugins'].map((each) => join(root, each));
  return folders.flatMap(sourcesIn).flatMap((path) => {
    if (!path.endsWith('.tsx')) return [];
    const found: string[] = [];
    walk(parsed(path), (node) => {
      found.push(...shownBy(node).filter((each) => /\p{L}{2}/u.test(each.replaceAll(/\{\{.*?\}\}/g, ''))));
    });
    return found.map((each) => `${relative(root, path)}: ${each.trim().replaceAll(/\s+/g, ' ')}`);
  });
}

/** Returns the literals that a component node displays: its text, its labels, and the arguments of `toast`. */
function shownBy(node: Node & Showing): string[] {
  const { name, key, value, callee } = node;
  switch (node.type) {
    case 'JSXElement':
    case 'JSXFragment':
      return (node.children ?? []).flatMap(textsOf);
    case 'JSXOpeningElement':
      return name?.name === 'Fact' ? (node.attributes ?? []).filter(isName).flatMap((each) => textsOf(each.value)) : [];
    case 'JSXAttribute':
      return SHOWN.has(String(name?.name)) ? textsOf(value) : [];
    case 'Property':
      if (key?.name === 'cell' && value?.type === 'ArrowFunctionExpression') return textsOf(value['body'] as Node);
      return SHOWN.has(String(key?.name)) ? textsOf(value) : [];
    case 'CallExpression':
      return ['toast', 'counted', 'usePageTitle'].includes(String(callee?.name)) ? textsOf(node.arguments?.[0]) : [];
    // Texts that functions return and constants hold, such as `from ${date(start)}`.
    case 'ArrowFunctionExpression':
      return sentencesOf(node['body'] as Node);
    case 'ReturnStatement':
      return sentencesOf(node['argument'] as Node | null);
    case 'VariableDeclarator':
      return sentencesOf(node.init);
    case 'ArrayExpression':
      return (node['elements'] as (Node | null)[]).flatMap(sentencesOf);
    case 'LogicalExpression':
      return sentencesOf(node);
    default:
      return [];
  }
}

/** Returns the texts of an expression that read as English: a capitalised word, two words, or a word beside a value. */
function sentencesOf(node: Node | null | undefined): string[] {
  if (node?.type === 'ConditionalExpression')
    return [node['consequent'] as Node, node['alternate'] as Node].flatMap(sentencesOf);
  const reads =
    node?.type === 'TemplateLiteral' ? / \p{L}{2,}(?: |$)|^\p{L}{2,} /u : /^\p{Lu}\p{Ll}{2,}|\p{L}{2,} \p{L}{2,}/u;
  return textsOf(node).filter((each) => reads.test(each) && !/^(?:GET|POST|PUT|DELETE) /.test(each));
}

const isName = ({ name }: Showing) => name?.name === 'name';

/** Returns the texts that an expression may have, including those of templates. */
function textsOf(node: Node | null | undefined): string[] {
  if (!node) return [];
  const of = (...members: string[]) => members.flatMap((each) => textsOf(node[each] as Node));
  switch (node.type) {
    case 'JSXText':
      return [String(node['value'])];
    case 'JSXExpressionContainer':
      return of('expression');
    case 'ConditionalExpression':
      return of('consequent', 'alternate');
    case 'LogicalExpression':
      return of('left', 'right');
    case 'TemplateLiteral':
      return [
        ...(node['quasis'] as { value: { cooked: string } }[]).map((each) => each.value.cooked),
        ...(node['expressions'] as Node[]).flatMap(textsOf),
      ];
    default:
      return literalsOf(node);
  }
}
