import { secondsBetween, type App, type Timestamp } from '@keelson/core';
import { signingKey, type SigningKey } from '@keelson/core/system';
import type { WebhookRow } from './entities.ts';

type Sealed = Pick<WebhookRow, 'webhook_id' | 'secret' | 'previous_secret' | 'previous_until'>;

export const seal = (app: App, webhook_id: number, secret: string) => app.vault.seal(secret, sealedFor(webhook_id));
export const unseal = (app: App, webhook_id: number, sealed: string) => app.vault.open(sealed, sealedFor(webhook_id));

/** Returns the signing keys: the secret and, for a day after a change, the previous one (SF-15). Unsealed lazily. */
export function signingKeys(app: App, row: Sealed): (now: Timestamp) => readonly [SigningKey, ...SigningKey[]] {
  const { secret, previous_secret, previous_until } = row;
  let current: SigningKey | undefined;
  let previous: SigningKey | undefined;
  return (now) => {
    if (secret === null) throw new Error(`Webhook ${row.webhook_id} no longer has a secret`);
    current ??= signingKey(unseal(app, row.webhook_id, secret));
    if (previous_secret === null || previous_until === null || secondsBetween(now, previous_until) <= 0) {
      return [current];
    }
    previous ??= signingKey(unseal(app, row.webhook_id, previous_secret));
    return [current, previous];
  };
}

const sealedFor = (webhook_id: number): string => `webhook ${webhook_id} secret`;
