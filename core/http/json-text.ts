// Writes large responses as JSON without blocking other requests: 150 contracts with long texts are 39 MB, for which
// JSON.stringify takes 200 ms.
import { yieldToOthers } from '../kit/yield.ts';

/** Shorter lists are written in one go: the longest texts of as many records take 50 ms. */
const SHORT = 40;
/** Characters written between two turns of the event loop, about 10 ms. */
const SLICE = 2_000_000;

/** Returns the same text as JSON.stringify, yielding to the event loop between the items of long lists. */
export async function jsonText(value: unknown): Promise<string> {
  if (isLong(value)) return listText(value);
  if (!isObject(value) || !Object.values(value).some(holdsLong)) return JSON.stringify(value);
  const members: string[] = [];
  for (const [name, each] of Object.entries(value)) {
    if (each !== undefined) members.push(`${JSON.stringify(name)}:${await jsonText(each)}`);
  }
  return `{${members.join(',')}}`;
}

async function listText(items: readonly unknown[]): Promise<string> {
  const texts: string[] = [];
  let written = 0;
  for (const each of items) {
    const text = JSON.stringify(each) ?? 'null';
    texts.push(text);
    written += text.length;
    if (written < SLICE) continue;
    await yieldToOthers();
    written = 0;
  }
  return `[${texts.join(',')}]`;
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
