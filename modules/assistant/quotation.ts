// The built-in writer: names the best text and quotes it (W-05).
import { quote } from './ranking.ts';
import type { Writer } from './writer.ts';

export const quoteBest: Writer = async (_ctx, { passages: [best], words }) => {
  if (!best) return undefined;
  // Of a ticket the state alone: its description was written by the one who asks.
  const state = best.kind === 'ticket' ? best.text.split('\n\n')[0] : undefined;
  return { message: state ?? `From “${best.title}”:\n\n${quote(best, words)}`, proposesTicket: false };
};
