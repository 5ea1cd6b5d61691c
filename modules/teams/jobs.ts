import { job } from '@keelson/core';
import { handOverAll } from './absences/hand-over.ts';
import { runDue } from './escalation/run-due.ts';

export default [
  job('teams.escalate', '*/5 * * * * *', runDue, { title: 'Escalate unacknowledged tickets' }),
  job('teams.hand-over', '20 * * * * *', handOverAll, { title: 'Hand over tickets of absent technicians' }),
];
