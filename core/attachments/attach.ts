// Attaches files to a record from code, without HTTP.
import type { Row, Table } from '@keelson/database/schema/table.ts';
import { arrivals } from '@keelson/storage';
import type { Context } from '../plugin/context.ts';
import type { Attachment } from './attachment.ts';
import { keepFiles } from './store-attachment.ts';

/** The record to attach a file to. */
export interface AttachedTo<T extends Table> {
  readonly table: T;
  readonly row: Row<T>;
  /** The record in messages: `ticket`. */
  readonly noun: string;
  /** The record in the activity log: `ticket 1001`. */
  readonly called: string;
  readonly company: number | null;
  /** The part of the record that the file came with, such as a ticket's comment. */
  readonly part?: number | null;
  /** Customers do not see the part, and are not notified about the file. */
  readonly internal?: boolean;
}

export interface NewFile {
  readonly name: string;
  readonly bytes: Uint8Array | string;
}

/**
 * Attaches a generated file to a record whose plugin declares `attachments(…)`. Call it outside a transaction: the file
 * is stored first and its row afterwards.
 * @example `await attachFile(ctx, { table: Claim, row, noun: 'claim', called: 'claim 7', company: null }, { name: 'a.txt', bytes: 'hello' })`
 * @param to the record, or a function that finds and locks it in the transaction of the attachment's row. What that
 *   function writes is committed with the row, and a Problem that it throws refuses the file.
 * @throws tooLarge() or conflict() naming the limit
 */
export async function attachFile<T extends Table>(
  ctx: Context,
  to: AttachedTo<T> | ((ctx: Context) => Promise<AttachedTo<T>>),
  { name, bytes }: NewFile,
): Promise<Attachment> {
  const arriving = arrivals(ctx.app.storage.arrivals);
  try {
    arriving.receive(name).end(bytes);
    const [attachment] = await keepFiles(ctx, await arriving.settled(), async (inside) => ({
      part: null,
      internal: false,
      ...(typeof to === 'function' ? await to(inside) : to),
    }));
    if (!attachment) throw new Error(`${name} was not attached`);
    return attachment;
  } finally {
    await arriving.discard();
  }
}
