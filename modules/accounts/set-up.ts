import { invalid, LessThanOrEqual, MoreThan, notFound, plus, secret, type App, type Context } from '@keelson/core';
import { tokenHash } from '@keelson/core/system';
import { createTechnician, newHash, Technician } from '@keelson/modules/directory';
import { SetUpLink } from './entities.ts';
import { openTechnicianSession } from './sessions/technician-session.ts';

export const SET_UP_PATH = '/admin/setup';

/**
 * Creates a link for the first administrator, valid for 24 hours. Returns undefined once a technician exists. Each
 * start prints a link. Links of other processes and earlier starts stay valid, so every printed link works.
 */
export async function setUpLink(app: App): Promise<string | undefined> {
  const token = secret();
  const made = await app.system().transaction(async (ctx) => {
    if (!(await isEmpty(ctx))) return false;
    await ctx.db.delete(SetUpLink, { created_at: LessThanOrEqual(plus(ctx.now, { hours: -24 })) });
    await ctx.db.insert(SetUpLink, { token_hash: tokenHash(token), created_at: ctx.now });
    return true;
  });
  return made ? `${app.config.baseUrl}${SET_UP_PATH}?token=${token}` : undefined;
}

/** Returns true if the token of a set-up link is still valid. */
export async function isSetUpToken(ctx: Context, token: string): Promise<boolean> {
  const fresh = MoreThan(plus(ctx.now, { hours: -24 }));
  const link = await ctx.db.findOneBy(SetUpLink, { token_hash: tokenHash(token), created_at: fresh });
  return link !== null && (await isEmpty(ctx));
}

export interface SetUpInput {
  readonly token: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

/**
 * Creates the first administrator and signs them in. Returns the session cookie. Opens its own transaction.
 * @throws notFound() when the link is used, void or unknown; invalid() for a forbidden password
 */
export async function setUp(ctx: Context, { token, name, email, password }: SetUpInput): Promise<string> {
  if (!(await isSetUpToken(ctx, token))) throw linkIsVoid();
  if (name === '') throw invalid('name is required');
  const password_hash = await newHash(ctx, password, { email });
  return ctx.transaction(async (inside) => {
    // Lock all links, so that two people with two links cannot both become the first administrator.
    const links = await inside.db.find(SetUpLink, { lock: { mode: 'pessimistic_write' } });
    const known = links.some((link) => link.token_hash === tokenHash(token));
    if (!known || !(await isEmpty(inside))) throw linkIsVoid();
    for (const { link_id } of links) await inside.db.delete(SetUpLink, { link_id });
    const first = await createTechnician(inside, { name, email, role: 'administrator', password_hash });
    return openTechnicianSession(inside, first);
  });
}

/** Returns true if no technician exists yet. */
export async function isEmpty(ctx: Context): Promise<boolean> {
  return (await ctx.db.count(Technician)) === 0;
}

function linkIsVoid(): Error {
  return notFound('Set-up link');
}
