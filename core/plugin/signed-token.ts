// Signed tokens, which nobody else can forge, for links in mails and for secret URLs. Nothing is stored.
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import type { App } from './app.ts';
import { perApp } from './per-app.ts';

export interface SignedTokens {
  /** Returns the signature of a text: 43 URL-safe characters. */
  signature(app: App, text: string): string;
  /** Returns the text with its signature. */
  sign(app: App, text: string): string;
  /** Returns the text of a token, or undefined if its signature is invalid. */
  read(app: App, token: string): string | undefined;
}

/** Declares tokens for one purpose, at module level: `const tokens = signedTokens('escalation links')`. */
export function signedTokens(purpose: string): SignedTokens {
  const keyOf = perApp(({ vault }) => createSecretKey(vault.derive(purpose)));
  const signature = (app: App, text: string): string =>
    createHmac('sha256', keyOf(app)).update(`${app.config.tenantSlug} ${text}`).digest('base64url');
  return Object.freeze({
    signature,
    sign: (app: App, text: string) => `${text}.${signature(app, text)}`,
    read(app: App, token: string) {
      const [, text, signed] = /^(.+)\.([\w-]{43})$/.exec(token) ?? [];
      if (text === undefined || signed === undefined) return undefined;
      return timingSafeEqual(Buffer.from(signed), Buffer.from(signature(app, text))) ? text : undefined;
    },
  });
}

export interface SignedIds<Name extends string> {
  sign(app: App, ids: Readonly<Record<Name, number>>): string;
  /** Returns the ids in a token, or undefined if its signature is invalid. */
  read(app: App, token: string): Readonly<Record<Name, number>> | undefined;
}

/** Declares tokens with several ids: `const tokens = signedIds('escalation links', ['escalation_id', 'user_id'])`. */
export function signedIds<Name extends string>(purpose: string, names: readonly Name[]): SignedIds<Name> {
  const tokens = signedTokens(purpose);
  return Object.freeze({
    sign: (app: App, ids: Readonly<Record<Name, number>>) => tokens.sign(app, names.map((each) => ids[each]).join('.')),
    read(app: App, token: string) {
      const ids = tokens.read(app, token)?.split('.').map(Number);
      return ids && (Object.fromEntries(names.map((each, at) => [each, ids[at] ?? 0])) as Record<Name, number>);
    },
  });
}
