import { fill } from '@keelson/core/plugin';
import { KnownTeams, ReadTickets } from '@keelson/modules/tickets';
import { readKnownTeams } from './teams/teams.ts';

export default [fill(KnownTeams, readKnownTeams, ReadTickets)];
