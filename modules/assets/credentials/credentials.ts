// The credentials of assets. Passwords are sealed for company, asset and login, and are revealed only one at a time
// (reveal.ts, AS-06).
import {
  by,
  change,
  create,
  findOr404,
  invalid,
  noun,
  notFound,
  param,
  record,
  remove,
  sql,
  view,
  z,
  type Context,
  type Given,
} from '@keelson/core';
import { matching } from '@keelson/core/list';
import type { MembersOf } from '@keelson/core/record';
import type { Asset } from '../entities/asset.ts';
import { AssetCredential } from '../entities/parts.ts';
import { AssetNames } from '../names.ts';

const MOST = 200;
/** The placeholder for a password. Sending it back keeps the stored password (AS-07). */
const MASK = '********';

const credentialNoun = noun(AssetCredential, {
  title: 'Credential',
  filters: (its) => ({
    company_number: its.by(
      param.id(),
      (_ctx, id) => sql`asset_credential.asset_id IN (SELECT asset_id FROM asset WHERE company_number = ${id})`,
    ),
    search: its.by(param.search(), (_ctx, text) =>
      matching(text, ['asset_credential.label', 'asset_credential.username', 'asset_credential.url']),
    ),
  }),
  sorts: { label: by('label') },
  order: 'asc',
});

export const Credentials = record(credentialNoun, {
  type: 'asset_credential',
  call: ({ label }) => label,
});

const masked = (its: MembersOf<typeof AssetCredential>) => ({
  password: its.from(z.literal(MASK).nullable(), ['password'], ({ password }) => (password === null ? null : MASK)),
  has_password: its.from(z.boolean(), ['password'], ({ password }) => password !== null),
});

/** A credential of an asset (F-10). */
export const CredentialItem = view(Credentials, { more: masked });

/** A credential in the list across assets. */
export const ListedCredential = view(Credentials, {
  more: (its) => ({ ...masked(its), machine_name: its.name(AssetNames, 'asset_id') }),
});

/** A credential as the company's employees see it. */
export const PortalCredential = view(Credentials, { except: ['provider_only'], more: masked });

export interface CredentialFields {
  readonly label?: string | undefined;
  readonly username?: string | undefined;
  /** Plain text. The mask and undefined keep the stored password; null and '' clear it. */
  readonly password?: string | null | undefined;
  readonly url?: string | undefined;
  readonly notes?: string | undefined;
  readonly provider_only?: boolean | undefined;
}
export type NewCredential = CredentialFields & { readonly label: string };
export type CredentialNode = CredentialFields & { readonly login_id?: number | undefined };

export function readCredentials(ctx: Context, asset_id: number): Promise<AssetCredential[]> {
  const order = { label: 'ASC', login_id: 'ASC' } as const;
  return ctx.db.find(AssetCredential, { where: { asset_id }, order });
}

/** Returns the credentials that the company's employees may see. */
export async function readPortalCredentials(ctx: Context, asset_id: number): Promise<AssetCredential[]> {
  return (await readCredentials(ctx, asset_id)).filter(({ provider_only }) => !provider_only);
}

/** Finds a credential of this asset that the company's employees may see. @throws notFound() for any other */
export async function findPortalCredential(ctx: Context, asset: Asset, login_id: number): Promise<AssetCredential> {
  const credential = await findCredential(ctx, asset, login_id);
  if (credential.provider_only) throw notFound('Credential');
  return credential;
}

/** Finds a credential of this asset. @throws notFound() for another asset's */
export async function findCredential(ctx: Context, { asset_id }: Asset, login_id: number): Promise<AssetCredential> {
  const credential = await findOr404(ctx, Credentials, login_id);
  if (credential.asset_id !== asset_id) throw notFound('Credential');
  return credential;
}

/** Adds a credential to an asset that was locked in the same transaction. */
export async function addCredential(ctx: Context, asset: Asset, given: NewCredential): Promise<AssetCredential> {
  const { asset_id } = asset;
  if ((await ctx.db.countBy(AssetCredential, { asset_id })) >= MOST)
    throw invalid(`An asset has at most ${MOST} credentials`);
  const login_id = await ctx.app.allocator.take(ctx.db, 'asset_credential');
  const password = sealed(ctx, asset, login_id, given.password) ?? null;
  return create(ctx, Credentials, { ...given, asset_id, login_id, password, updated_by: ctx.author.name });
}

/** Changes a credential. An unchanged one keeps its author (V-16). */
export async function changeCredential(
  ctx: Context,
  asset: Asset,
  before: AssetCredential,
  wanted: CredentialFields,
): Promise<AssetCredential> {
  const given: Partial<Given<typeof Credentials>> = {
    ...wanted,
    password: changedPassword(ctx, asset, before, wanted),
  };
  const fields = ['label', 'username', 'password', 'url', 'notes', 'provider_only'] as const;
  const differs = fields.some((field) => given[field] !== undefined && given[field] !== before[field]);
  return change(ctx, Credentials, before, differs ? { ...given, updated_by: ctx.author.name } : {});
}

export const removeCredential = (ctx: Context, credential: AssetCredential): Promise<void> =>
  remove(ctx, Credentials, credential);

/**
 * Replaces the credentials of an asset: changes nodes with an id, adds nodes without one, and removes absent ones
 * (AS-09).
 */
export async function replaceCredentials(ctx: Context, asset: Asset, nodes: readonly CredentialNode[]): Promise<void> {
  const before = new Map((await readCredentials(ctx, asset.asset_id)).map((each) => [each.login_id, each]));
  const named = nodes.flatMap(({ login_id }) => login_id ?? []);
  const unknown = named.find((each, i) => !before.has(each) || named.indexOf(each) !== i);
  if (unknown !== undefined) throw invalid(`credentials must list logins of the asset, each once: ${unknown}`);
  const gone = [...before.values()].filter((each) => !named.includes(each.login_id));
  await remove(ctx, Credentials, gone);
  for (const { login_id, ...fields } of nodes) {
    const known = login_id === undefined ? undefined : before.get(login_id);
    if (known) await changeCredential(ctx, asset, known, fields);
    else await addCredential(ctx, asset, { ...fields, label: required(fields.label) });
  }
}

/** Returns the password of a credential, or null without one. */
export function openPassword(ctx: Context, asset: Asset, { login_id, password }: AssetCredential): string | null {
  return password === null ? null : ctx.app.vault.open(password, sealContext(asset, login_id));
}

/**
 * Returns the sealed password to store, or undefined to keep it. The same password is not sealed again, so the row does
 * not change.
 */
function changedPassword(ctx: Context, asset: Asset, before: AssetCredential, { password }: CredentialFields) {
  if (password !== undefined && password !== null && openPassword(ctx, asset, before) === password) return undefined;
  return sealed(ctx, asset, before.login_id, password);
}

function sealed(
  { app }: Context,
  asset: Asset,
  login_id: number,
  password: string | null | undefined,
): string | null | undefined {
  if (password === undefined || password === MASK) return undefined;
  return password === null || password === '' ? null : app.vault.seal(password, sealContext(asset, login_id));
}

function sealContext({ company_number, asset_id }: Asset, login_id: number): string {
  return `company ${company_number} asset ${asset_id} login ${login_id}`;
}

function required(label: string | undefined): string {
  if (label === undefined) throw invalid('credentials.label is required');
  return label;
}
