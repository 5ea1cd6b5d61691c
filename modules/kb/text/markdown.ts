// Renders Markdown as HTML with an in-memory cache, so that renderer changes also apply to old texts.
import { perApp, type Context } from '@keelson/core';
import { createRenderer } from '@keelson/files';
import { LRUCache } from 'lru-cache';

/** Characters of texts and their HTML. */
const MOST_KEPT = 16 * 1024 * 1024;
/** Longer HTML is not worth sending: legitimate text is rarely that much markup. */
const LONGEST = 1024 * 1024;
/** How long a text that failed to render is shown as plain text before a retry. */
const AGAIN_MS = 10 * 60_000;

/** A Markdown text and the location of its pictures. */
export interface MarkdownText {
  readonly text: string;
  /** Its cache key: `article 7`. A new text under the same name replaces the old one. */
  readonly name: string;
  /** The attachment path up to the id. Pictures are written `![Front](attachment:7)`; no other form is shown. */
  readonly pictures: string;
}

const rendering = perApp(() => ({
  renderer: createRenderer(),
  kept: new LRUCache<string, { readonly text: string; readonly html: string }>({
    maxSize: MOST_KEPT,
    sizeCalculation: ({ text, html }) => text.length + html.length + 1,
  }),
  /** Renderings in progress, so that many readers of a new text share one. */
  begun: new Map<string, { readonly text: string; readonly html: Promise<string> }>(),
}));

/**
 * Returns Markdown as HTML that is safe to embed: no scripts, styles or handlers, only `http`, `https` and `mailto`
 * links, and only attachments as pictures. Rendering runs in a worker thread and can take two seconds for malicious
 * input, so call it outside transactions. A text that fails to render in time is returned as plain text in `<pre>`.
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
    log.warn({ err, name }, 'showing text unrendered');
    const html = plainHtml(text);
    kept.set(key, { text, html }, { ttl: AGAIN_MS });
    return html;
  }
}

/** Returns a text that failed to render as plain text. */
function plainHtml(text: string): string {
  return `<pre>${text.replace(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`)}</pre>`;
}
