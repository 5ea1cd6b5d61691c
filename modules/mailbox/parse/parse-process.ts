// A child process that reads long mails (apart.ts), one after another.
import type { Piece } from '@keelson/files';
import { openWithHtml } from '../messages/open-mail.ts';
import type { Answered, Asked } from './apart.ts';
import { parseMail } from './parse.ts';

/** A process that has grown larger ends after its answer, so that idle ones hold little memory. */
const LARGEST = 384 * 1024 * 1024;

// Imports nothing of core, which would take longer to load than most mails to parse.
listen();

function listen(): void {
  const pieces: Uint8Array[] = [];
  process.on('message', (told: Piece | Asked) => {
    if ('piece' in told) pieces.push(told.piece);
    else void answer(Buffer.concat(pieces.splice(0)), told);
  });
}

async function answer(raw: Buffer, asked: Asked): Promise<void> {
  const answered = await ('receiving' in asked ? parseMail(raw, asked.receiving) : openWithHtml(raw, asked.shown)).then(
    (mail): Answered<unknown> => ({ mail }),
    (error: unknown): Answered<unknown> => ({ error: error instanceof Error ? error.message : String(error) }),
  );
  process.send?.(answered, () => {
    if (process.memoryUsage.rss() > LARGEST) process.disconnect();
  });
}
