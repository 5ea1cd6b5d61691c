// Tags: a few free words per ticket for the provider's staff (T-39). The ticket holds them in alphabetical order;
// `ticket_tag` repeats them for the list filter and for suggestions.
import { In, input, normalised, sql, z, type Context } from '@keelson/core';
import type { Change } from '@keelson/core/record';
import { TicketTag, type Ticket } from '../entities.ts';

export const MOST_TAGS = 20;
export const LONGEST_TAG = 40;
const MOST_SUGGESTED = 20;

/** Returns the stored form of a tag: lower-case, with single spaces. */
export const tagOf = (text: string): string => normalised(text);

/** A tag in a request body. */
export const tagField = input
  .text(LONGEST_TAG, { compared: true })
  // Normalising may turn another character into a comma.
  .overwrite(tagOf)
  .refine((text) => !text.includes(','), 'must not contain a comma');

/** All tags of a ticket in a request body. */
export const tagsField = z
  .array(tagField)
  .overwrite(inOrder)
  .refine(({ length }) => length <= MOST_TAGS, `must contain at most ${MOST_TAGS} tags`);

/** Returns distinct tags in alphabetical order. */
export function inOrder(tags: readonly string[]): string[] {
  return [...new Set(tags)].toSorted();
}

/** Returns tags as a ticket stores them: null for none. */
export const storedTags = (tags: readonly string[]): string[] | null => (tags.length > 0 ? inOrder(tags) : null);

/** Indexes the tags of a ticket stored in the same commit. */
export function tagNew({ tx }: Context, { ticket_id, tags }: Ticket): void {
  for (const tag of tags ?? []) tx?.append(TicketTag, { ticket_id, tag });
}

/** Indexes changed tags, with one statement per removed tag and one for the added ones. */
export async function indexTags({ db }: Context, changes: readonly Change<typeof Ticket>[]): Promise<void> {
  const tagged = changes.filter(({ changed }) => changed.includes('tags'));
  const gone = tagged.flatMap(({ before, after }) => rowsOf(before).filter(({ tag }) => !after.tags?.includes(tag)));
  for (const [tag, rows] of Map.groupBy(gone, (each) => each.tag))
    await db.delete(TicketTag, { tag, ticket_id: In(rows.map(({ ticket_id }) => ticket_id)) });
  const added = tagged.flatMap(({ before, after }) => rowsOf(after).filter(({ tag }) => !before.tags?.includes(tag)));
  await db.insert(TicketTag, added);
}

/** Removes the tags of deleted tickets from the index, so that they are no longer suggested. */
export async function forgetTags({ db }: Context, tickets: readonly Ticket[]): Promise<void> {
  const ticket_id = tickets.filter(({ tags }) => tags !== null).map((each) => each.ticket_id);
  if (ticket_id.length > 0) await db.delete(TicketTag, { ticket_id: In(ticket_id) });
}

/** Returns tags in use that begin with a text, in alphabetical order. Reads one index entry per tag, not per ticket. */
export async function suggestTags({ db }: Context, text = ''): Promise<{ tag: string }[]> {
  const first = tagOf(text);
  // The last Unicode code point sorts after every other.
  const last = `${first}\u{10ffff}`;
  const rows = await db.query<{ tag: string }>(sql`WITH RECURSIVE known (tag, place) AS (
      SELECT MIN(ticket_tag.tag), 1 FROM ticket_tag WHERE ticket_tag.tag >= ${first} AND ticket_tag.tag < ${last}
      UNION ALL
      SELECT (SELECT MIN(ticket_tag.tag) FROM ticket_tag WHERE ticket_tag.tag > known.tag AND ticket_tag.tag < ${last}),
        known.place + 1
      FROM known WHERE known.tag IS NOT NULL AND known.place < ${MOST_SUGGESTED})
    SELECT known.tag FROM known WHERE known.tag IS NOT NULL ORDER BY known.tag`);
  return rows.map(({ tag }) => ({ tag }));
}

function rowsOf({ ticket_id, tags }: Ticket): { ticket_id: number; tag: string }[] {
  return (tags ?? []).map((tag) => ({ ticket_id, tag }));
}
