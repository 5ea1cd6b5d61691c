// The built-in writer: names and quotes the best text (W-05).
import { explained } from '@keelson/core/kit';
import { quote } from './ranking.ts';
import type { Writer } from './writer.ts';

export const quoteBest: Writer = async (_ctx, { passages: [best], words }) => {
  if (!best) return undefined;
  // For a ticket, return only the status: the person wrote the description themselves.
  const state = best.kind === 'ticket' ? best.text.split('\n\n')[0] : undefined;
  return { message: state ?? `${explained(`From “${best.title}”:`)}\n\n${quote(best, words)}`, proposesTicket: false };
};
