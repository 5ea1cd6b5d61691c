// The texts of actions, rendered with the facts of a run (ST-06), as mails are.
import { invalid, type Context } from '@keelson/core';
import { fillIn } from '@keelson/core/system';
import { variablesOf, type Facts } from './facts.ts';

const MAX_BYTES = 65_535;

/** @throws invalid() for a text that cannot be rendered, such as one that becomes too long */
export function renderText(ctx: Context, facts: Facts, template: string, maxBytes = MAX_BYTES): string {
  return cut(render(ctx, facts, template).trim(), maxBytes);
}

/** A text for one line, such as a subject, even if values contain line breaks. */
export function renderLine(ctx: Context, facts: Facts, template: string, maxBytes: number): string {
  return cut(
    render(ctx, facts, template)
      .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
      .trim(),
    maxBytes,
  );
}

function render(ctx: Context, facts: Facts, template: string): string {
  try {
    return fillIn(template, { ...variablesOf(ctx, facts) });
  } catch (error) {
    const [sentence] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw invalid(`The text cannot be filled in: ${sentence}`);
  }
}

// By bytes, as the column counts, but not in the middle of a character.
function cut(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  return Buffer.from(text)
    .subarray(0, maxBytes - 3)
    .toString('utf8')
    .replace(/\uFFFD+$/, '')
    .concat('…');
}
