// Decodes an import file from any program: UTF-8, UTF-16 with or without a byte order mark, or Windows-1252.
import { isUtf8 } from 'node:buffer';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { invalid } from '../fault.ts';

export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type Encoding = (typeof encodings)[number];

/** Signatures of binary files, each with a sentence that says what to do instead. */
const others: readonly { readonly magic: string; readonly problem: string }[] = [
  { magic: '%PDF', problem: 'The file is a PDF: export the table as CSV or .xlsx' },
  { magic: '\xd0\xcf\x11\xe0', problem: 'The file is an old Excel workbook (.xls): save it as .xlsx or CSV' },
  { magic: 'PK\x03\x04', problem: 'The file is a ZIP archive, not a table' },
];

/** Bytes inspected to detect UTF-16 without a byte order mark: many zeros, all at odd or all at even positions. */
const LOOKED_AT = 512;
/** Bytes decoded between two yields to other requests. */
const SLICE = 1024 * 1024;

/**
 * Returns the file as UTF-8, and its original encoding. Without a byte order mark, valid UTF-8 is taken as UTF-8.
 * @throws FileFault for a file that is not text
 */
export async function toUtf8(bytes: Buffer): Promise<{ readonly bytes: Buffer; readonly encoding: Encoding }> {
  const start = bytes.toString('latin1', 0, 8);
  for (const { magic, problem } of others) if (start.startsWith(magic)) throw invalid(problem);
  const encoding = encodingOf(bytes);
  if (encoding === 'utf-8') return { bytes, encoding };
  const decoder = new TextDecoder(encoding);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += SLICE) {
    const text = decoder.decode(bytes.subarray(at, at + SLICE), { stream: at + SLICE < bytes.length });
    if (text.includes('\0')) throw noTable();
    pieces.push(Buffer.from(text));
    await yieldToOthers();
  }
  return { bytes: await joined(pieces), encoding };
}

/** As `Buffer.concat`, which takes a quarter of a second for a large file on a slow machine. */
async function joined(pieces: readonly Buffer[]): Promise<Buffer> {
  const whole = Buffer.allocUnsafe(pieces.reduce((size, each) => size + each.length, 0));
  let at = 0;
  for (const each of pieces) {
    each.copy(whole, at);
    at += each.length;
    await yieldToOthers();
  }
  return whole;
}

function encodingOf(bytes: Buffer): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const beginning = bytes.subarray(0, LOOKED_AT);
  const zeros = [0, 1].map((odd) => beginning.filter((byte, at) => byte === 0 && at % 2 === odd).length);
  const [even = 0, odd = 0] = zeros;
  if (odd > beginning.length / 4 && even === 0) return 'utf-16le';
  if (even > beginning.length / 4 && odd === 0) return 'utf-16be';
  if (bytes.includes(0)) throw noTable();
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252';
}

const noTable = () => invalid('The file is not a table: it is a binary file');
