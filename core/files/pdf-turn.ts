// Serialises PDF creation: a document occupies a core for seconds and its rows need a lot of memory, so a process
// creates one at a time.
import { tooMany } from '@keelson/kit/problem.ts';
import { callerTurns } from '../plugin/caller-turns.ts';

const RETRY_SECONDS = 10;

/**
 * Runs `work` in the caller's turn. A caller may have three documents queued, and a tenant 20.
 * @throws tooMany() when too many are
 */
export const inPdfTurn = callerTurns({
  atOnce: 1,
  waiting: 3,
  waitingInAll: 20,
  full: () => tooMany(RETRY_SECONDS, 'Too many documents are being generated: try again in a moment'),
});
