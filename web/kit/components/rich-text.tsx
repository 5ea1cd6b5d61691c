// Renders server-generated HTML as React elements, because the content security policy forbids HTML injection. Only
// tags on the server's allowlist are supported; anything else is shown as text.
import { createElement, Fragment, type ReactNode } from 'react';
import { t } from '../shell/words.ts';

const known = new Set(
  'h1 h2 h3 h4 h5 h6 p blockquote pre code hr br ul ol li em strong s a img table thead tbody tr th td'.split(' '),
);
const empty = new Set(['hr', 'br', 'img']);
/** Demotes headings by one level because the page has its own h1. */
const lower: Readonly<Record<string, string>> = { h1: 'h2', h2: 'h3', h3: 'h4', h4: 'h5', h5: 'h6' };
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

interface Node {
  readonly tag: string;
  readonly given: ReadonlyMap<string, string>;
  readonly children: (Node | string)[];
}

export function RichText({ html }: { html: string }) {
  return <div className="rich-text">{parsed(html).children.map(shown)}</div>;
}

const TOKEN = /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*\/?>|<|[^<]+/gi;

function parsed(html: string): Node {
  const root: Node = { tag: '', given: new Map(), children: [] };
  const open = [root];
  for (const [text, ends, name, attributes] of html.matchAll(TOKEN)) {
    const tag = name?.toLowerCase() ?? '';
    const parent = open.at(-1) ?? root;
    if (!known.has(tag)) parent.children.push(plain(text));
    else if (ends) {
      const from = open.findLastIndex((each) => each.tag === tag);
      if (from > 0) open.length = from;
    } else {
      const node: Node = { tag, given: attributesOf(attributes ?? ''), children: [] };
      parent.children.push(node);
      if (!empty.has(tag)) open.push(node);
    }
  }
  return root;
}

const attributesOf = (text: string): Map<string, string> =>
  new Map([...text.matchAll(/([a-z-]+)="([^"]*)"/gi)].map(([, name = '', value = '']) => [name, plain(value)]));

function plain(text: string): string {
  return text.replaceAll(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, name: string | undefined) => {
    if (name) return entities[name] ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hex as string, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

function shown(node: Node | string, key: number): ReactNode {
  if (typeof node === 'string') return <Fragment key={key}>{node}</Fragment>;
  const { tag, given, children } = node;
  const inner = empty.has(tag) ? undefined : children.map(shown);
  if (tag === 'img') {
    const src = given.get('src') ?? '';
    return src.startsWith('/') && !src.startsWith('//') ? (
      <img key={key} src={src} alt={given.get('alt') ?? ''} loading="lazy" />
    ) : null;
  }
  if (tag === 'a') {
    const href = given.get('href') ?? '';
    if (!/^(https?:\/\/|mailto:)/i.test(href)) return <Fragment key={key}>{inner}</Fragment>;
    return (
      <a key={key} href={href} rel="noreferrer noopener nofollow" target="_blank">
        {inner}
      </a>
    );
  }
  if (tag === 'table')
    return (
      <div key={key} className="simple-table" tabIndex={0} role="region" aria-label={t('Table')}>
        <table>{children.filter((each) => typeof each !== 'string').map(shown)}</table>
      </div>
    );
  const start = tag === 'ol' && given.has('start') ? { start: Number(given.get('start')) } : {};
  // React forbids whitespace text between table rows.
  const fitting = /^(thead|tbody|tr)$/.test(tag)
    ? children.filter((each) => typeof each !== 'string').map(shown)
    : inner;
  return createElement(lower[tag] ?? tag, { key, ...start }, fitting);
}
