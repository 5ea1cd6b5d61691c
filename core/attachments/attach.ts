// Attaches files to a record from code, without HTTP.
import type { Row, Table } from '../database/table.ts';
import type { Context } from '../plugin/context.ts';
import { arrivals } from '../storage/arrival.ts';
import type { Attachment } from './attachment.ts';
import { keepFiles } from './keep.ts';

/** The record to attach a file to. */
export interface AttachedTo<T extends Table> {
  readonly table: T;
  readonly row: Row<T>;
  /** The record in messages: `ticket`. */
  readonly noun: string;
  /** The record in the activity log: `ticket 1001`. */
  readonly called: string;
  readonly company: number | null;
}

export interface NewFile {
  readonly name: string;
  readonly bytes: Uint8Array | string;
}

/**
 * Attaches a generated file to a record whose plugin declares `attachments(…)`. Call it outside a transaction: the file
 * is stored first and its row afterwards.
 * @example `await attachFile(ctx, { table: Claim, row, noun: 'claim', called: 'claim 7', company: null }, { name: 'a.txt', bytes: 'hello' })`
 * @throws tooLarge() or conflict() naming the limit
 */
export async function attachFile<T extends Table>(
  ctx: Context,
  { table, row, ...holder }: AttachedTo<T>,
  { name, bytes }: NewFile,
): Promise<Attachment> {
  const arriving = arrivals(ctx.app.storage.arrivals);
  try {
    arriving.receive(name).end(bytes);
    const whose = { table, row, part: null, internal: false, ...holder };
    const [attachment] = await keepFiles(ctx, await arriving.settled(), async () => whose);
    if (!attachment) throw new Error(`${name} was not attached`);
    return attachment;
  } finally {
    await arriving.discard();
  }
}
