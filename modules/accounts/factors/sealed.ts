import { secondsBetween, z, type Context, type Timestamp } from '@keelson/core';

// Values that a browser keeps for us, mostly between two steps of a sign-in: sealed against reading and tampering, and
// valid for one purpose and a limited time.

const DEFAULT_SECONDS = 600;
/** In seconds: the clocks of several machines differ. */
const LEEWAY = 60;

/** Seals a value. For how long it is valid is decided when it is opened. */
export function seal(ctx: Context, purpose: string, value: object): string {
  return ctx.app.vault.seal(JSON.stringify({ ...value, at: ctx.now }), purpose);
}

export interface SealedKind<S extends z.ZodRawShape> {
  readonly purpose: string;
  readonly shape: z.ZodObject<S>;
  /** Ten minutes unless given. */
  readonly seconds?: number;
}

/** The value, if it was sealed for the same purpose and is still valid; else undefined. */
export function unseal<S extends z.ZodRawShape>(
  ctx: Context,
  { purpose, shape, seconds = DEFAULT_SECONDS }: SealedKind<S>,
  envelope: string | undefined,
): z.output<z.ZodObject<S>> | undefined {
  const text = envelope === undefined ? undefined : openEnvelope(ctx, purpose, envelope);
  if (text === undefined) return undefined;
  const { at, ...value } = JSON.parse(text) as { at: Timestamp };
  const age = secondsBetween(at, ctx.now);
  return age > -LEEWAY && age < seconds ? shape.parse(value) : undefined;
}

// Browsers may send anything: what cannot be opened counts as absent.
function openEnvelope(ctx: Context, purpose: string, envelope: string): string | undefined {
  try {
    return ctx.app.vault.open(envelope, purpose);
  } catch {
    return undefined;
  }
}
