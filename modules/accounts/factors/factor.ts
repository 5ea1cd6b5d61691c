import type { Context, Row } from '@keelson/core';
import { SecondFactor } from '../entities.ts';

/** Somebody who may have a second factor. */
export interface OwnerId {
  readonly kind: 'employee' | 'technician';
  readonly id: number;
  /** The known device or session they come from: its wrong codes and passwords are counted apart (D8). */
  readonly device?: string | undefined;
}

export interface Owner extends OwnerId {
  /** What the app shows: the e-mail address. */
  readonly account: string;
}

export type Factor = Row<typeof SecondFactor>;

/** The owner's second factor, once it counts. */
export async function findFactor(ctx: Context, owner: OwnerId): Promise<Factor | undefined> {
  const factor = await ctx.db.one(SecondFactor, ofOwner(owner));
  return factor && factor.enabled_at !== null ? factor : undefined;
}

/** The columns that name the owner. */
export function ofOwner({ kind, id }: OwnerId) {
  return kind === 'employee' ? { employee_number: id } : { user_id: id };
}

/** Seals a key for its owner: in anybody else's row it does not open. */
export function sealKey({ app }: Context, owner: OwnerId, key: string): string {
  return app.vault.seal(key, boundTo(owner));
}

export function openKey({ app }: Context, owner: OwnerId, { sealed_key }: Factor): string {
  return app.vault.open(sealed_key, boundTo(owner));
}

/** A line in the activity log of the owner. Runs in a transaction. */
export function recordFactor(ctx: Context, { kind, id }: OwnerId, description: string): void {
  const entity_type = kind === 'employee' ? 'contact' : 'technician';
  ctx.record({ action: 'update', entity_type, entity_id: id, description });
}

function boundTo({ kind, id }: OwnerId): string {
  return `second factor of ${kind} ${id}`;
}
