// Writes large responses as JSON without blocking other requests: 100 proposals with long texts are 13 MB, which take
// 100 ms to write and 270 ms to encode.
import { yieldToOthers } from './yield.ts';

/** Shorter lists are written in one go: the longest texts of as many records take 50 ms. */
const SHORT = 40;
/** Characters written and encoded between two turns of the event loop, about 30 ms. */
const SLICE = 1_000_000;

/**
 * Returns the same text as JSON.stringify, yielding to the event loop between the items of long lists; encoded, if it
 * is long.
 */
export async function jsonText(value: unknown): Promise<string | Buffer> {
  const out = new Text();
  await write(value, out);
  return out.end();
}

class Text {
  #parts: string[] = [];
  #length = 0;
  readonly #encoded: Buffer[] = [];

  add(text: string): void {
    this.#parts.push(text);
    this.#length += text.length;
  }

  /** Encodes what has been added, if that is much, and lets others run. */
  async takeTurns(): Promise<void> {
    if (this.#length < SLICE) return;
    this.#encoded.push(Buffer.from(this.#parts.join('')));
    this.#parts = [];
    this.#length = 0;
    await yieldToOthers();
  }

  end(): string | Buffer {
    const rest = this.#parts.join('');
    return this.#encoded.length === 0 ? rest : Buffer.concat([...this.#encoded, Buffer.from(rest)]);
  }
}

async function write(value: unknown, out: Text): Promise<void> {
  if (isLong(value)) return writeList(value, out);
  if (!isObject(value) || !Object.values(value).some(holdsLong)) return out.add(JSON.stringify(value));
  let before = '{';
  for (const [name, each] of Object.entries(value)) {
    if (each === undefined) continue;
    out.add(`${before}${JSON.stringify(name)}:`);
    await write(each, out);
    before = ',';
  }
  out.add('}');
}

async function writeList(items: readonly unknown[], out: Text): Promise<void> {
  let before = '[';
  for (const each of items) {
    out.add(before + (JSON.stringify(each) ?? 'null'));
    await out.takeTurns();
    before = ',';
  }
  out.add(']');
}

function isLong(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length > SHORT;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Lists deeper than in `data` are short. */
function holdsLong(value: unknown): boolean {
  return isLong(value) || (isObject(value) && Object.values(value).some(isLong));
}
