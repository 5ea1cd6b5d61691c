// The server's texts in the language of the person who asks: headings of files and reports.
import type { Wording } from '@keelson/kit/wording.ts';
import type { Translate } from '@keelson/words';
import type { Context } from '../context.ts';
import type { Speaker } from './language.ts';

/**
 * Returns the texts in the caller's language, otherwise in their browser's; English for keys, whose programs must not
 * depend on a setting.
 * @example (await callerWording(ctx)).t('Status'); // Status
 */
export async function callerWording(ctx: Context): Promise<Wording> {
  const person = personOf(ctx.actor);
  if (!person) return ctx.app.wording(null);
  return ctx.app.wording((await ctx.app.languageOf(ctx, person)) ?? ctx.request.language?.() ?? null);
}

/** Returns true for people, who read words; programs with a key read stored values. */
export const hasOwnWords = ({ actor }: Context): boolean => personOf(actor) !== undefined;

function personOf(actor: unknown): Speaker | undefined {
  if (typeof actor !== 'object' || actor === null) return undefined;
  if ('employee_number' in actor) return { employee_number: Number(actor.employee_number) };
  return 'user_id' in actor ? { user_id: Number(actor.user_id) } : undefined;
}

/** Translates what the numbers of a field mean: `{ 1: 'Critical' }`. */
export const labelsIn = (labels: Readonly<Record<number, string>>, t: Translate): Record<number, string> =>
  Object.fromEntries(Object.entries(labels).map(([number, label]) => [number, t(label)]));
