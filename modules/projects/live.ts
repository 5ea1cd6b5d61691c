import { liveRecord, signedIn } from '@keelson/core';
import { ReadTickets } from '@keelson/modules/tickets';
import { Milestone, Project, ProjectPhase, PunchItem } from './entities.ts';

const everybody = { admin: ReadTickets, helpdesk: { access: signedIn }, paths: ['/projects'] } as const;

export default [Project, ProjectPhase, Milestone, PunchItem].map((each) => liveRecord(each, everybody));
