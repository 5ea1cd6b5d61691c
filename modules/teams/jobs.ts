import { job } from '@keelson/core';
import { runDue } from './escalation/run-due.ts';

export default [job('teams.escalate', '*/5 * * * * *', runDue, { title: 'Escalate unacknowledged tickets' })];
