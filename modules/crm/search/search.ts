// GET /search: finds records with every word, whole words before parts of words (C-26 to C-28). The index of words answers;
// records are read for the results that are shown.
import {
  forbidden,
  invalid,
  joined,
  listed,
  searchedWords,
  sql,
  type Context,
  type CrmKey,
  type Db,
  type Sql,
} from '@keelson/core';
import { nameOf as contactName } from '../contacts/contacts.ts';
import { CrmContact } from '../contacts/entities.ts';
import { entityTypes, type EntityType } from '../entity-types.ts';
import { Lead } from '../leads/entities.ts';
import { Opportunity } from '../opportunities/entities.ts';
import { Prospect } from '../prospects/entities.ts';
import { nameOf as leadName } from '../leads/leads.ts';
import { readerOf } from '../permissions.ts';
import { matches } from './words.ts';

export interface SearchAsked {
  readonly q: string;
  /** Comma-separated, plurals too. */
  readonly types?: string | undefined;
  readonly limit: number;
}

interface Hit {
  readonly entity_type: EntityType;
  readonly entity_id: number;
  /** The sum over the words: 3 for a whole word, 2 for the beginning of one, 1 for text within one. */
  readonly points: number;
  readonly total: number;
}

/** The best matches, and how many there are. @throws forbidden() when the key may read none of the types (Z-56) */
export async function searchCrm(ctx: Context<CrmKey>, { q, types, limit }: SearchAsked) {
  if (Array.from(q).length < 2) throw invalid('q must be at least 2 characters');
  const readable = typesOf(types).filter((each) => readerOf[each].allows(ctx.actor));
  if (readable.length === 0) throw forbidden();
  const words = searchedWords(q);
  if (words.length === 0) return { results: [], total: 0 };
  const hits = await ctx.db.query<Hit>(bestHits(ctx.db.dialect, words, readable, limit));
  const titles = await readTitles(ctx, hits);
  const results = hits.flatMap(({ entity_type: type, entity_id, points }) => {
    const id = Number(entity_id);
    const shown = titles.get(`${type} ${id}`);
    return shown
      ? [{ type, id, ...shown, score: scoreOf(Number(points), words.length), url: urlOf(ctx, type, id) }]
      : [];
  });
  return { results, total: Number(hits[0]?.total ?? 0) };
}

/** @throws invalid() for an unknown type */
function typesOf(types: string | undefined): readonly EntityType[] {
  const asked = (types ?? '').split(',').flatMap((each) => each.trim().toLowerCase() || []);
  if (asked.length === 0) return entityTypes;
  const wanted = new Set<EntityType>();
  for (const each of asked) {
    const type = entityTypes.find((known) => each === known || each === plurals[known]);
    if (!type) throw invalid(`types must be of: ${entityTypes.join(', ')}`);
    wanted.add(type);
  }
  return [...wanted];
}

const plurals = Object.freeze({
  lead: 'leads',
  contact: 'contacts',
  opportunity: 'opportunities',
  prospect: 'prospects',
});

function bestHits(dialect: Db['dialect'], words: readonly string[], types: readonly EntityType[], limit: number): Sql {
  const matching = words.map((word) => {
    const points = sql`CASE WHEN crm_word.word = ${word} THEN 3
      WHEN crm_word_end.ending = crm_word_end.word THEN 2 ELSE 1 END`;
    return sql`SELECT crm_word.entity_type, crm_word.entity_id, MAX(${points}) AS points
      FROM ${matches(dialect, word)} AND crm_word.entity_type IN ${listed(types)}
      GROUP BY crm_word.entity_type, crm_word.entity_id`;
  });
  return sql`SELECT entity_type, entity_id, SUM(points) AS points, COUNT(*) OVER () AS total
    FROM (${joined(matching, ' UNION ALL ')}) AS matching GROUP BY entity_type, entity_id
    HAVING COUNT(*) = ${words.length} ORDER BY points DESC, entity_id DESC, entity_type LIMIT ${limit}`;
}

function scoreOf(points: number, words: number): number {
  return Math.round((points / (3 * words)) * 100) / 100;
}

function urlOf({ app }: Context, type: EntityType, id: number): string {
  const place = type === 'contact' ? 'people' : plurals[type];
  return `${app.config.baseUrl}/admin/crm/${place}/${id}`;
}

interface Title {
  readonly title: string;
  readonly subtitle: string;
}

/** At most one statement for each type. */
async function readTitles(ctx: Context, hits: readonly Hit[]): Promise<ReadonlyMap<string, Title>> {
  const titles = new Map<string, Title>();
  for (const type of entityTypes) {
    const ids = hits.filter((each) => each.entity_type === type).map((each) => Number(each.entity_id));
    if (ids.length === 0) continue;
    for (const [id, title] of await titlesOf[type](ctx, ids)) titles.set(`${type} ${id}`, title);
  }
  return titles;
}

type Titles = [id: number, title: Title][];

const titlesOf: Readonly<Record<EntityType, (ctx: Context, ids: number[]) => Promise<Titles>>> = Object.freeze({
  lead: async ({ db }, lead_id) =>
    (await db.find(Lead, { lead_id, deleted_at: null })).map((each) => [
      each.lead_id,
      { title: leadName(each), subtitle: each.company_name || each.email },
    ]),
  contact: async ({ db }, contact_id) =>
    (await db.find(CrmContact, { contact_id, deleted_at: null })).map((each) => [
      each.contact_id,
      { title: contactName(each), subtitle: each.company_name || each.email },
    ]),
  opportunity: async ({ db }, opportunity_id) =>
    (await db.find(Opportunity, { opportunity_id, deleted_at: null })).map((each) => [
      each.opportunity_id,
      { title: each.name, subtitle: each.stage },
    ]),
  prospect: async ({ db }, prospect_id) =>
    (await db.find(Prospect, { prospect_id, deleted_at: null })).map((each) => [
      each.prospect_id,
      { title: each.name, subtitle: [each.industry, each.city].filter(Boolean).join(', ') },
    ]),
});
