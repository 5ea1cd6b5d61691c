// Markdown as HTML, kept in memory: a text is rendered once per process, and changes of the renderer reach old texts, too.
import { LRUCache } from 'lru-cache';
import type { Context } from '../plugin/context.ts';
import { perApp } from '../plugin/per-app.ts';
import { createRenderer } from './markdown-thread.ts';

/** Characters of texts and their HTML. */
const MOST_KEPT = 16 * 1024 * 1024;
/** Longer HTML is not worth sending: hardly any text is markup alone. */
const LONGEST = 1024 * 1024;
/** How long a text that could not be rendered is shown as it was written. */
const AGAIN_MS = 10 * 60_000;

/** A Markdown text, and where its pictures are. */
export interface MarkdownText {
  readonly text: string;
  /** What it is for the cache: `article 7`. Another text under the same name replaces the one before. */
  readonly name: string;
  /** The path of an attachment up to its id; a picture is written `![Front](attachment:7)`, and there are no others. */
  readonly pictures: string;
}

const rendering = perApp(() => ({
  renderer: createRenderer(),
  kept: new LRUCache<string, { readonly text: string; readonly html: string }>({
    maxSize: MOST_KEPT,
    sizeCalculation: ({ text, html }) => text.length + html.length + 1,
  }),
  /** What is being rendered, so that many readers of a new text wait for one rendering. */
  begun: new Map<string, { readonly text: string; readonly html: Promise<string> }>(),
}));

/**
 * Markdown as HTML that a page may show as it is: no scripts, styles or handlers, links of `http`, `https` and `mailto`, and
 * no pictures but attachments of ours. It is made in a thread, and takes up to two seconds for hostile texts: call it
 * outside of transactions. What cannot be rendered, or not in time, is the text as it was written, in `<pre>`.
 */
export function markdownHtml(ctx: Context, asked: MarkdownText): Promise<string> {
  const { name, text, pictures } = asked;
  const { kept, begun } = rendering(ctx.app);
  const key = `${pictures} ${name}`;
  const known = kept.get(key);
  if (known?.text === text) return Promise.resolve(known.html);
  const running = begun.get(key);
  if (running?.text === text) return running.html;
  const html = render(ctx, key, asked).finally(() => begun.delete(key));
  begun.set(key, { text, html });
  return html;
}

async function render({ app, log }: Context, key: string, { name, text, pictures }: MarkdownText): Promise<string> {
  const { renderer, kept } = rendering(app);
  try {
    const html = await renderer.render({ text, pictures });
    if (html.length > LONGEST) throw new Error('The HTML is too long');
    kept.set(key, { text, html });
    return html;
  } catch (err) {
    log.warn({ err, name }, 'a text is shown as it was written');
    const html = plainHtml(text);
    kept.set(key, { text, html }, { ttl: AGAIN_MS });
    return html;
  }
}

/** The text as it was written, for one that cannot be rendered. */
function plainHtml(text: string): string {
  return `<pre>${text.replace(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`)}</pre>`;
}
