import { IsNull } from '@keelson/core';
import type { Context, Row } from '@keelson/core';
import { type Spoken } from '@keelson/core/plugin';
import { Employee, tellEmployee, tellTechnician, Technician } from '@keelson/modules/directory';
import { SecondFactor } from '../entities.ts';

/** A person who can have a second factor. */
export interface OwnerId {
  readonly kind: 'employee' | 'technician';
  readonly id: number;
  /** The known device or session in use. Its wrong codes and passwords are counted separately (SF-08). */
  readonly device?: string | undefined;
}

export interface Owner extends OwnerId {
  /** The email address, shown in the authenticator app. */
  readonly account: string;
}

export type Factor = Row<typeof SecondFactor>;

/** Returns the owner's second factor, if it is enabled. */
export async function findFactor(ctx: Context, owner: OwnerId): Promise<Factor | undefined> {
  const factor = await ctx.db.findOneBy(SecondFactor, ofOwner(owner));
  return factor && factor.enabled_at !== null ? factor : undefined;
}

/** Returns the filter on the owner's column. */
export function ofOwner({ kind, id }: OwnerId) {
  return kind === 'employee' ? { employee_number: id } : { user_id: id };
}

/** Seals a key for its owner. It cannot be opened for anyone else. */
export function sealKey({ app }: Context, owner: OwnerId, key: string): string {
  return app.vault.seal(key, sealContext(owner));
}

export function openKey({ app }: Context, owner: OwnerId, { sealed_key }: Factor): string {
  return app.vault.open(sealed_key, sealContext(owner));
}

/** Logs a change to the owner's sign-in details, and mails them `change` if given. Runs in a transaction. */
export async function recordAccess(ctx: Context, owner: OwnerId, description: string, change?: Spoken): Promise<void> {
  const { kind, id } = owner;
  const entity_type = kind === 'employee' ? 'contact' : 'technician';
  ctx.record({ action: 'update', entity_type, entity_id: id, description });
  if (change !== undefined) await tellOwner(ctx, owner, change);
}

/** Mails the owner about a change to their sign-in details. Runs in a transaction. */
export async function tellOwner(ctx: Context, { kind, id }: OwnerId, change: Spoken): Promise<void> {
  if (kind === 'employee') {
    const employee = await ctx.db.findOneBy(Employee, { employee_number: id, deleted_at: IsNull() });
    if (employee) tellEmployee(ctx, employee, change);
    return;
  }
  const technician = await ctx.db.findOneBy(Technician, { user_id: id, deleted_at: IsNull() });
  if (technician) tellTechnician(ctx, technician, change);
}

function sealContext({ kind, id }: OwnerId): string {
  return `second factor of ${kind} ${id}`;
}
