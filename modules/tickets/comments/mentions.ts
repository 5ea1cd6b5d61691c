// Mentions of colleagues in notes (T-34): `@Ada Byron`, or `@ada.byron`, the local part of the mail address.
import { IsNull } from '@keelson/core';
import type { Context } from '@keelson/core';
import { Technician } from '@keelson/modules/directory';

/** Maximum number of @ signs examined. */
const MOST = 50;
/** An @ not preceded by a word character, so that mail addresses are not mentions. */
const SIGN = /(?<![\p{L}\p{N}._-])@/gu;
const WORD = /^[\p{L}\p{N}]/u;

/** Returns the `user_id`s of active technicians mentioned in a text, except the author. */
export async function findMentioned({ db, author }: Context, text: string): Promise<number[]> {
  const plain = plainly(text);
  const tails = [...plain.matchAll(SIGN)].slice(0, MOST).map(({ index }) => plain.slice(index + 1, index + 300));
  if (tails.length === 0) return [];
  const technicians = await db.findBy(Technician, { active: true, deleted_at: IsNull() });
  const handles = technicians.flatMap(({ user_id, name, email }) =>
    [name, email.slice(0, email.indexOf('@'))].map((handle) => ({ user_id, handle: plainly(handle) })),
  );
  const named = new Set(tails.flatMap((tail) => longest(handles.filter(({ handle }) => begins(tail, handle)))));
  if (author.type === 'technician' && author.id !== null) named.delete(author.id);
  return [...named].toSorted((a, b) => a - b);
}

interface Handle {
  readonly user_id: number;
  readonly handle: string;
}

/** Keeps the longest match: `@Ada Byron` does not also mention a colleague called Ada. */
function longest(found: readonly Handle[]): number[] {
  const most = Math.max(0, ...found.map(({ handle }) => handle.length));
  return found.filter(({ handle }) => handle.length === most).map(({ user_id }) => user_id);
}

function begins(tail: string, handle: string): boolean {
  return handle !== '' && tail.startsWith(handle) && !WORD.test(tail.slice(handle.length));
}

const plainly = (text: string): string => text.normalize('NFC').toLowerCase();
