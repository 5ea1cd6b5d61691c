// Google service account. Its key is sealed and never shown again.
import { invalid, type Context } from '@keelson/core';
import { GoogleAccount } from '../settings.ts';
import { isRsaKey, type ServiceAccount } from './service-account.ts';

const SCOPE = 'https://www.googleapis.com/auth/spreadsheets';
const SEALED_FOR = 'reports.google private_key';
const TOKEN_URL = 'https://oauth2.googleapis.com/token';
const API_URL = 'https://sheets.googleapis.com';

export interface GivenAccount {
  readonly client_email: string;
  readonly private_key: string;
  readonly token_url?: string | undefined;
  readonly api_url?: string | undefined;
}

/** Returns the account as administrators see it. */
export async function showAccount(ctx: Context) {
  const { client_email, token_url, api_url } = await ctx.app.settings.get(ctx, GoogleAccount);
  if (client_email === '') return { configured: false, client_email: null, token_url: null, api_url: null };
  return { configured: true, client_email, token_url, api_url };
}

/** Stores the service account. @throws invalid() for an invalid key or a forbidden URL */
export async function setAccount(ctx: Context, given: GivenAccount): Promise<void> {
  const { client_email, private_key, token_url = TOKEN_URL, api_url = API_URL } = given;
  if (!isRsaKey(private_key)) throw invalid('private_key must be a private RSA key in PEM');
  const refused = ctx.app.egress.check(token_url) ?? ctx.app.egress.check(api_url);
  if (refused !== undefined) throw invalid(`token_url and api_url: ${refused}`);
  const sealed = ctx.app.vault.seal(private_key, SEALED_FOR);
  await ctx.app.settings.set(ctx, GoogleAccount, { client_email, private_key: sealed, token_url, api_url });
  record(ctx, `Google service account ${client_email} set`);
}

export async function removeAccount(ctx: Context): Promise<void> {
  await ctx.app.settings.set(ctx, GoogleAccount, GoogleAccount.default);
  record(ctx, 'Google service account removed');
}

function record(ctx: Context, description: string): void {
  ctx.record({ action: 'update', entity_type: 'setting', entity_id: GoogleAccount.name, description });
}

export interface Google extends ServiceAccount {
  readonly apiUrl: string;
}

/** Returns the service account for a request. @throws invalid() if no account is configured */
export async function googleFor(ctx: Context): Promise<Google> {
  const account = await ctx.app.settings.get(ctx, GoogleAccount);
  if (account.client_email === '') throw invalid('No spreadsheet connection is configured');
  const { client_email: clientEmail, token_url: tokenUrl, api_url: apiUrl } = account;
  const privateKey = ctx.app.vault.open(account.private_key, SEALED_FOR);
  return { clientEmail, privateKey, tokenUrl, apiUrl, scope: SCOPE };
}
