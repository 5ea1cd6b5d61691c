// The language of pages without scripts: the person's, otherwise that of the last person in this browser, then the
// provider's, then the browser's.
import type { Context } from '@keelson/core';
import { languageCodes, type Speaker, type Wording } from '@keelson/core/plugin';
import type { Http } from '@keelson/core/system';

/** A page request. */
export type PageHttp = Http;

/** Returns the texts for a visitor; `person` is set if they are known. */
export async function wordingFor(ctx: Context, http: Http, person?: Speaker): Promise<Wording> {
  const { app } = ctx;
  const own = person && (await app.languageOf(ctx, person));
  if (own) return app.wording(own);
  const remembered = http.cookie('language');
  const known = languageCodes.find((each) => each === remembered) ?? app.language;
  return app.wording(known ?? http.language(languageCodes));
}

/** Returns the texts of an account page: for the signed-in technician, or for a visitor. */
export function wordingOf(ctx: Context<{ readonly user_id: number } | undefined>, http: Http): Promise<Wording> {
  return wordingFor(ctx, http, ctx.actor && { user_id: ctx.actor.user_id });
}
