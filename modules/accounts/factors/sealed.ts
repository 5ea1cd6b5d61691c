import { secondsBetween, z, type Context, type Timestamp } from '@keelson/core';

// Values kept in the browser, mostly between two steps of a sign-in. They are sealed against reading and tampering, and
// valid for one purpose and a limited time.

const DEFAULT_SECONDS = 600;
/** In seconds. Allows for clock differences between machines. */
const LEEWAY = 60;

/** Seals a value. The lifetime is set when it is opened. */
export function seal(ctx: Context, purpose: string, value: object): string {
  return ctx.app.vault.seal(JSON.stringify({ ...value, at: ctx.now }), purpose);
}

export interface SealedKind<S extends z.ZodRawShape> {
  readonly purpose: string;
  readonly shape: z.ZodObject<S>;
  /** Lifetime in seconds; ten minutes by default. */
  readonly seconds?: number;
}

/** Returns the value if it was sealed for the same purpose and is still valid, otherwise undefined. */
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

// Browsers may send anything: an envelope that cannot be opened counts as absent.
function openEnvelope(ctx: Context, purpose: string, envelope: string): string | undefined {
  try {
    return ctx.app.vault.open(envelope, purpose);
  } catch {
    return undefined;
  }
}
