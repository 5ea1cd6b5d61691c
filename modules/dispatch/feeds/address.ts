// The URL of a calendar feed. It is signed, so that database rows alone do not reveal it.
import { timingSafeEqual } from 'node:crypto';
import type { App } from '@keelson/core';
import { signedTokens } from '@keelson/core/plugin';
import type { CalendarFeed } from './entities.ts';

const tokens = signedTokens('calendar feeds');

export const addressOf = (app: App, feed: CalendarFeed): string =>
  `${app.config.baseUrl}/calendar-feed?token=${tokenOf(app, feed)}`;

/** Returns the id in a token without verifying the token. */
export const feedIn = (token: string): number => Number(/^(\d{1,15})\.[\w-]{43}$/.exec(token)?.[1] ?? 0);

/** Returns true if the token is valid for the feed. */
export function isTokenOf(app: App, feed: CalendarFeed, token: string): boolean {
  const [given, own] = [Buffer.from(token), Buffer.from(tokenOf(app, feed))];
  return given.length === own.length && timingSafeEqual(given, own);
}

/** The nonce is signed but not part of the URL; a new nonce changes the URL. */
const tokenOf = (app: App, { feed_id, nonce }: CalendarFeed): string =>
  `${feed_id}.${tokens.signature(app, `${feed_id} ${nonce}`)}`;
