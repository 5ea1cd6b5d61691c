// Renders action texts with the run's variables (ST-06), as in mails.
import { invalid, type Context } from '@keelson/core';
import { messageOf } from '@keelson/core/kit';
import { fillIn } from '@keelson/core/system';
import { variablesOf, type Facts } from '../runs/facts.ts';

const MAX_BYTES = 65_535;

/** Renders a text. @throws invalid() if it fails, for example because the result is too long */
export function renderText(ctx: Context, facts: Facts, template: string, maxBytes = MAX_BYTES): string {
  return cut(render(ctx, facts, template).trim(), maxBytes);
}

/** Renders a single-line text such as a subject, even if values contain line breaks. */
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
    const [sentence] = messageOf(error).split('\n');
    throw invalid(`The template could not be rendered: ${sentence}`);
  }
}

// Limit by bytes, as the column does, without splitting a character.
function cut(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  return Buffer.from(text)
    .subarray(0, maxBytes - 3)
    .toString('utf8')
    .replace(/\uFFFD+$/, '')
    .concat('…');
}
