import { secondsBetween, type App, type Timestamp } from '@keelson/core';
import type { WebhookRow } from './entities.ts';

type Sealed = Pick<WebhookRow, 'webhook_id' | 'secret' | 'previous_secret' | 'previous_until'>;

export const seal = (app: App, webhook_id: number, secret: string) => app.vault.seal(secret, sealedFor(webhook_id));
export const unseal = (app: App, { webhook_id }: Sealed, sealed: string) =>
  app.vault.open(sealed, sealedFor(webhook_id));

/** What to sign with: the secret, and for a day after its change the one before (D15). */
export function signingSecrets(app: App, row: Sealed, now: Timestamp): readonly [string, ...string[]] {
  if (row.secret === null) throw new Error(`Webhook ${row.webhook_id} has no secret any more`);
  const secret = unseal(app, row, row.secret);
  const { previous_secret, previous_until } = row;
  if (previous_secret === null || previous_until === null || secondsBetween(now, previous_until) <= 0) return [secret];
  return [secret, unseal(app, row, previous_secret)];
}

const sealedFor = (webhook_id: number): string => `webhook ${webhook_id} secret`;
