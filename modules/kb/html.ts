// Articles as HTML. It is made when somebody reads one, outside of transactions, and kept in memory: a text is rendered
// once per process and surface, and changes of the renderer reach old articles, too.
import { LRUCache } from 'lru-cache';
import { perApp, type App, type Context } from '@keelson/core';
import type { KbArticle } from './entities.ts';
import { createRenderer } from './html-thread.ts';
import { plainHtml } from './render.ts';

/** Characters of texts and their HTML. */
const MOST_KEPT = 16 * 1024 * 1024;
/** Longer HTML is not worth sending: hardly any text is markup alone. */
const LONGEST = 1024 * 1024;
/** How long a text that could not be rendered is shown as it was written. */
const AGAIN_MS = 10 * 60_000;

interface Kept {
  readonly content: string;
  readonly html: string;
}

const rendering = perApp(() => ({
  renderer: createRenderer(),
  kept: new LRUCache<string, Kept>({
    maxSize: MOST_KEPT,
    sizeCalculation: ({ content, html }) => content.length + html.length + 1,
  }),
  /** What is being rendered, so that many readers of a new article wait for one rendering. */
  begun: new Map<string, Promise<string>>(),
}));

/** Where the attachments of an article are, up to their id. */
const picturesOf = {
  admin: ({ article_id }: KbArticle) =>
    `/admin/api/v1/kb/articles.php?action=attachment&id=${article_id}&attachment_id=`,
  helpdesk: ({ article_id }: KbArticle) => `/helpdesk/api/v1/kb/articles/${article_id}/attachments/`,
} as const;
type Surface = keyof typeof picturesOf;

/**
 * The content as HTML that a page may show as it is. What cannot be rendered, or not in time, is the text as it was written.
 */
export async function articleHtml(ctx: Context, article: KbArticle, surface: Surface): Promise<string> {
  const { article_id, content, version } = article;
  const { kept, begun } = rendering(ctx.app);
  const known = kept.get(`${surface} ${article_id}`);
  if (known?.content === content) return known.html;
  const key = `${surface} ${article_id} ${version}`;
  const running = begun.get(key) ?? render(ctx, article, surface).finally(() => begun.delete(key));
  begun.set(key, running);
  return running;
}

async function render({ app, log }: Context, article: KbArticle, surface: Surface): Promise<string> {
  const { article_id, content } = article;
  const { renderer, kept } = rendering(app);
  const key = `${surface} ${article_id}`;
  try {
    const html = await renderer.render({ content, pictures: { before: picturesOf[surface](article) } });
    if (html.length > LONGEST) throw new Error('The HTML is too long');
    kept.set(key, { content, html });
    return html;
  } catch (err) {
    log.warn({ err, article_id }, 'kb: an article is shown as it was written');
    const html = plainHtml(content);
    kept.set(key, { content, html }, { ttl: AGAIN_MS });
    return html;
  }
}

/** For the end of the process. */
export const stopRendering = (app: App): Promise<void> => rendering(app).renderer.end();
