import { liveRecord, signedIn } from '@keelson/core';
import { ReadTickets } from '@keelson/modules/tickets';
import { Milestone, Project, PunchItem } from './entities.ts';

const everybody = { admin: ReadTickets, helpdesk: { access: signedIn } } as const;

export default [liveRecord(Project, everybody), liveRecord(Milestone, everybody), liveRecord(PunchItem, everybody)];
