// The address of a calendar feed. It is signed, so that the stored rows alone do not reveal it.
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { perApp, type App } from '@keelson/core';
import type { CalendarFeed } from './entities.ts';

const keyOf = perApp(({ vault }) => createSecretKey(vault.derive('calendar feeds')));

export const addressOf = (app: App, feed: CalendarFeed): string =>
  `${app.config.baseUrl}/calendar-feed?token=${feed.feed_id}.${signature(app, feed)}`;

/** Returns the id that a token names; it proves nothing yet. */
export const feedIn = (token: string): number => Number(/^(\d{1,15})\.[\w-]{43}$/.exec(token)?.[1] ?? 0);

/** Returns whether a token is that of the feed. */
export function isTokenOf(app: App, feed: CalendarFeed, token: string): boolean {
  const [given, own] = [Buffer.from(token), Buffer.from(`${feed.feed_id}.${signature(app, feed)}`)];
  return given.length === own.length && timingSafeEqual(given, own);
}

function signature(app: App, { feed_id, nonce }: CalendarFeed): string {
  return createHmac('sha256', keyOf(app)).update(`${app.config.tenantSlug} ${feed_id} ${nonce}`).digest('base64url');
}
