// Reads mails without holding anybody up. They come from strangers: the parser needs minutes and gigabytes for 25 MiB of
// short lines, and sanitising 2 MB of nested tags a minute. All but short mails are read in child processes.
import { perApp, type App } from '@keelson/core';
import { explained } from '@keelson/core/kit';
import { warmChildren } from '@keelson/files';
import PQueue from 'p-queue';
import { openWithHtml, type OpenedMail } from '../messages/open-mail.ts';
import { parseMail, type ParsedMail, type Receiving } from './parse.ts';

const WORK = {
  module: new URL('./parse-process.ts', import.meta.url),
  heapMb: 1024,
  cpuMs: 30_000,
  uses: 200,
  idleMs: 20_000,
};
/** Mails of this size are parsed in milliseconds. */
const SHORT = { bytes: 64 * 1024, lines: 2000 };
const AT_ONCE = 2;

/** What the child is asked: to parse a mail, or to show it as it was written. */
export type Asked = { readonly receiving: Receiving } | { readonly shown: { readonly pictures: boolean } };
/** The child's answer. */
export type Answered<Mail> = { readonly mail: Mail } | { readonly error: string };

export interface Limits {
  /** Heap of the child. */
  readonly heapMb: number;
  /** Processor time per mail. */
  readonly cpuMs: number;
}

/** Creates what asks child processes, each within the limits. */
export function createReaders(limits: Limits = WORK) {
  const turns = new PQueue({ concurrency: AT_ONCE });
  const askChild = warmChildren({ ...WORK, ...limits });
  return async function ask<Mail>(raw: Buffer, asked: Asked): Promise<Mail> {
    const answer = await turns.add(() => askChild<Answered<Mail>>(raw, asked));
    if (!answer) throw tooLarge();
    if ('error' in answer) throw new Error(answer.error);
    return answer.mail;
  };
}

const readers = perApp(() => createReaders());

/** Parses a mail as `parseMail` does. @throws Error if that needs too much memory or time */
export function parseApart(app: App, raw: Buffer, given: Receiving): Promise<ParsedMail> {
  const { address, aliases, authserv_id, sign_in, size } = given;
  const receiving = { address, aliases, authserv_id, sign_in, size };
  return isShort(raw) ? parseMail(raw, receiving) : readers(app)(raw, { receiving });
}

/** Opens a mail as `openWithHtml` does. @throws Error if that needs too much memory or time */
export function openApart(app: App, raw: Buffer, shown: { readonly pictures: boolean }): Promise<OpenedMail> {
  return isShort(raw) ? openWithHtml(raw, shown) : readers(app)(raw, { shown });
}

const tooLarge = () => new Error(explained('The mail takes too much memory or time to read'));

function isShort(raw: Buffer): boolean {
  if (raw.length > SHORT.bytes) return false;
  let lines = 0;
  for (const byte of raw) if (byte === 0x0a) lines++;
  return lines <= SHORT.lines;
}
