import {
  DuplicateKey,
  duplicate,
  normalised,
  type Context,
  type Db,
  type Role,
  type Row,
  type Timestamp,
} from '@keelson/core';
import { Technician } from './entities/technician.ts';

export interface NewTechnician {
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  /** Hashed outside the transaction (core/security/password.ts). */
  readonly password_hash: string | null;
}

/** Adds a member of the provider's staff; the e-mail address is the login name. */
export async function createTechnician(ctx: Context, values: NewTechnician): Promise<Row<typeof Technician>> {
  const row = { ...values, email_key: normalised(values.email), created_at: ctx.now, updated_at: ctx.now };
  const userId = await ctx.db.insert(Technician, row).catch((error: unknown) => {
    if (error instanceof DuplicateKey) throw duplicate('email is already in use');
    throw error;
  });
  ctx.record({
    action: 'create',
    entity_type: 'technician',
    entity_id: userId,
    description: `Technician ${values.name} created`,
  });
  const technician = await ctx.db.one(Technician, { user_id: userId });
  if (!technician) throw new Error(`Technician ${userId} is missing right after its insert`);
  return technician;
}

/** The technician's availability follows from the last request (D-22); noted beside the request, not in it. */
export async function noteTechnicianActivity(db: Db, userId: number, at: Timestamp): Promise<void> {
  await db.update(Technician, { user_id: userId }, { last_activity_at: at });
}
