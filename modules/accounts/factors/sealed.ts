import { secondsBetween, z, type Context, type Timestamp } from '@keelson/core';

// What a browser keeps for us, above all between two steps of a sign-in: sealed, so that nobody reads or changes it, and
// for one purpose and a limited time only.

const SECONDS = 600;
/** Clocks of several machines differ. */
const LEEWAY = 60;

/** Seals a value; how long it is good is up to whoever opens it. */
export function seal(ctx: Context, purpose: string, value: object): string {
  return ctx.app.vault.seal(JSON.stringify({ ...value, at: ctx.now }), purpose);
}

export interface SealedKind<S extends z.ZodRawShape> {
  readonly purpose: string;
  readonly shape: z.ZodObject<S>;
  /** Ten minutes unless given. */
  readonly seconds?: number;
}

/** The value that was sealed for the same purpose not too long ago; undefined when this is none. */
export function unseal<S extends z.ZodRawShape>(
  ctx: Context,
  { purpose, shape, seconds = SECONDS }: SealedKind<S>,
  envelope: string | undefined,
): z.output<z.ZodObject<S>> | undefined {
  const text = envelope === undefined ? undefined : opened(ctx, purpose, envelope);
  if (text === undefined) return undefined;
  const { at, ...value } = JSON.parse(text) as { at: Timestamp };
  const age = secondsBetween(at, ctx.now);
  return age > -LEEWAY && age < seconds ? shape.parse(value) : undefined;
}

// Whatever a browser sends that is no envelope of ours counts as nothing.
function opened(ctx: Context, purpose: string, envelope: string): string | undefined {
  try {
    return ctx.app.vault.open(envelope, purpose);
  } catch {
    return undefined;
  }
}
