// Secrets of workflow webhooks: sealed in rows; a generated one is shown once.
import type { App } from '@keelson/core';
import { webhookSecret } from '@keelson/core/system';
import type { Action } from '../definitions/fields.ts';
import type { Workflow } from '../entities.ts';

export interface Sealed {
  readonly actions: Action[];
  /** Generated secrets by action position; only this response contains them (EV-09). */
  readonly generated: ReadonlyMap<number, string>;
}

export const openSecret = (app: App, { workflow_id }: Pick<Workflow, 'workflow_id'>, sealed: string): string =>
  app.vault.open(sealed, sealContext(workflow_id));

/**
 * Seals webhook secrets. An action without one keeps the secret in `known` for the same URL, the first to the first, or
 * gets a new one.
 */
export function sealSecrets(
  app: App,
  workflow_id: number,
  actions: readonly Action[],
  known: readonly Action[] = [],
): Sealed {
  const generated = new Map<number, string>();
  const left = [...known];
  const sealed = actions.map((action, i): Action => {
    if (action.type !== 'call_webhook') return action;
    const at = left.findIndex((each) => each.type === 'call_webhook' && each.url === action.url);
    const [kept] = at < 0 ? [] : left.splice(at, 1);
    if (kept?.type === 'call_webhook' && kept.secret !== undefined) {
      const same = action.secret === undefined || openSecret(app, { workflow_id }, kept.secret) === action.secret;
      if (same) return { ...action, secret: kept.secret };
    }
    const secret = action.secret ?? webhookSecret();
    if (action.secret === undefined) generated.set(i, secret);
    return { ...action, secret: app.vault.seal(secret, sealContext(workflow_id)) };
  });
  return { actions: sealed, generated };
}

/** Removes secrets from actions. `hosts` reduces URLs to their origin because the rest may contain a token. */
export function withoutSecrets(
  actions: readonly Action[],
  { hosts = false } = {},
): Readonly<Record<string, unknown>>[] {
  return actions.map((action) => {
    if (action.type !== 'call_webhook') return action;
    const { secret, url, ...rest } = action;
    return { ...rest, url: hosts ? new URL(url).origin : url, has_secret: secret !== undefined };
  });
}

const sealContext = (workflow_id: number): string => `workflow ${workflow_id} webhook`;
