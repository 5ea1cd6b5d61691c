// Related items of an article: manual links and similar articles.
import { In, input, invalid, is, IsNull, pageOf, z, type Context, type EmployeeActor, type Admin } from '@keelson/core';
import { wordsIn } from '@keelson/core/kit';
import type { Filter } from '@keelson/core/list';
import { PortalTicket, ReadTickets, Ticket, visibleTickets } from '@keelson/modules/tickets';
import { KbRelated, relatedTypes, type KbArticle } from '../entities.ts';
import { visibleArticles } from '../visible.ts';
import { ArticleTitle } from './article-list.ts';

export const RelatedItem = z.object({ entity_type: z.enum(relatedTypes), entity_id: z.int(), title: z.string() });
type RelatedItem = z.output<typeof RelatedItem>;

/** The `related` field of request bodies. */
export const relatedField = input.optional(
  z.array(z.object({ entity_type: input.choice(relatedTypes), entity_id: input.id() })).max(50),
);
export type RelatedInput = NonNullable<z.output<typeof relatedField>>[number];

/** Reads the titles of existing records visible to the caller. */
type TitleReader = (ctx: Context, ids: readonly number[]) => Promise<ReadonlyMap<number, string>>;
export type TitleReaders = Readonly<Record<(typeof relatedTypes)[number], TitleReader>>;

/** Allows no links. */
export const noTitles: TitleReaders = Object.freeze({ article: async () => new Map(), ticket: async () => new Map() });

/** Number of similar articles shown, and number of newest articles compared. */
const SIMILAR = 5;
const COMPARED = 100;

/** Replaces the links. Returns whether they changed. @throws invalid() naming a link to a missing record */
export async function replaceRelated(
  ctx: Context,
  article_id: number,
  wanted: readonly RelatedInput[],
  readers: TitleReaders,
): Promise<boolean> {
  const before = await readLinks(ctx, article_id);
  const links = [...new Map(wanted.map((each) => [nameOf(each), each])).values()];
  if (links.map(nameOf).join() === before.map(nameOf).join()) return false;
  const shown = await withTitles(ctx, links, readers);
  const missing = links.find((link) => !shown.some((each) => nameOf(each) === nameOf(link)));
  if (missing) throw invalid(`related contains an unknown ${missing.entity_type}: ${missing.entity_id}`);
  if (before.length > 0) await ctx.db.delete(KbRelated, { article_id });
  const rows = links.map(({ entity_type, entity_id }, position) => ({ article_id, entity_type, entity_id, position }));
  await ctx.db.insert(KbRelated, rows);
  return true;
}

/** Returns the related items of an article for technicians. */
export function readRelated(ctx: Context<Admin>, article: KbArticle): Promise<RelatedItem[]> {
  return read(ctx, article, staffTitles(ctx), []);
}

/** Returns the related items visible to the signed-in customer. */
export function readPortalRelated(ctx: Context<EmployeeActor>, article: KbArticle): Promise<RelatedItem[]> {
  return read(ctx, article, portalTitles(ctx), visibleArticles(ctx));
}

async function read(
  ctx: Context,
  article: KbArticle,
  readers: TitleReaders,
  seen: readonly Filter[],
): Promise<RelatedItem[]> {
  const links = await withTitles(ctx, await readLinks(ctx, article.article_id), readers);
  const known = new Set([nameOf({ entity_type: 'article', entity_id: article.article_id }), ...links.map(nameOf)]);
  const similar = await readSimilar(ctx, article, seen);
  return [...links, ...similar.filter((each) => !known.has(nameOf(each))).slice(0, SIMILAR)];
}

function readLinks(ctx: Context, article_id: number) {
  return ctx.db.find(KbRelated, { where: { article_id }, order: { position: 'ASC' } });
}

async function withTitles(ctx: Context, links: readonly RelatedInput[], readers: TitleReaders): Promise<RelatedItem[]> {
  const byType = Map.groupBy(links, (each) => each.entity_type);
  const titles = new Map<string, ReadonlyMap<number, string>>();
  for (const [type, some] of byType)
    titles.set(
      type,
      await readers[type](
        ctx,
        some.map((each) => each.entity_id),
      ),
    );
  return links.flatMap(({ entity_type, entity_id }) => {
    const title = titles.get(entity_type)?.get(entity_id);
    return title === undefined ? [] : [{ entity_type, entity_id, title }];
  });
}

/** Reads titles for a technician or API key; ticket titles require the permission to read tickets. */
export function staffTitles(staff: Context<Admin>): TitleReaders {
  return {
    article: (ctx, ids) => readArticleTitles(ctx, ids, []),
    async ticket(ctx, ids) {
      if (!ReadTickets.allows(staff.actor)) return new Map();
      const tickets = await ctx.db.findBy(Ticket, { ticket_id: In(ids), deleted_at: IsNull() });
      return new Map(tickets.map((each) => [each.ticket_id, each.subject]));
    },
  };
}

/** Reads titles visible to an employee. */
export function portalTitles(employee: Context<EmployeeActor>): TitleReaders {
  return {
    article: (ctx, ids) => readArticleTitles(ctx, ids, visibleArticles(employee)),
    async ticket(_ctx, ids) {
      const where = [is('ticket_id', ids), ...visibleTickets(employee, 'seen')];
      const { rows } = await pageOf(employee, PortalTicket, { page: 1, size: ids.length }, { where });
      return new Map(rows.map((each) => [each.ticket_id, each.subject]));
    },
  };
}

async function readArticleTitles(
  ctx: Context,
  ids: readonly number[],
  seen: readonly Filter[],
): Promise<ReadonlyMap<number, string>> {
  const where = [is('article_id', ids), ...seen];
  const { rows } = await pageOf(ctx, ArticleTitle, { page: 1, size: ids.length }, { where });
  return new Map(rows.map((each) => [each.article_id, each.title]));
}

/** Returns articles of the same category that share words of the title or tags, most similar first. */
async function readSimilar(
  ctx: Context,
  { title, tags, category_id }: KbArticle,
  seen: readonly Filter[],
): Promise<RelatedItem[]> {
  const where = [is('category_id', category_id), ...seen];
  // Skip counting; the total is not used.
  const { rows } = await pageOf(ctx, ArticleTitle, { page: 1, size: COMPARED }, { where, total: 0 });
  const words = wordsOf(`${title} ${tags.join(' ')}`);
  const scored = rows.map((each) => ({
    entity_type: 'article' as const,
    entity_id: each.article_id,
    title: each.title,
    common: wordsOf(`${each.title} ${each.tags.join(' ')}`).filter((word) => words.includes(word)).length,
  }));
  return scored
    .filter(({ common }) => common > 0)
    .toSorted((a, b) => b.common - a.common || b.entity_id - a.entity_id)
    .map(({ entity_type, entity_id, title: shown }) => ({ entity_type, entity_id, title: shown }));
}

/** Ignore short words, which occur in every title. */
function wordsOf(text: string): string[] {
  return wordsIn(text, { longest: 40 }).filter((word) => word.length > 3);
}

const nameOf = ({ entity_type, entity_id }: RelatedInput): string => `${entity_type} ${entity_id}`;
