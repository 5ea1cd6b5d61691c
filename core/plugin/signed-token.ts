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
