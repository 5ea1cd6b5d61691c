import { liveRecord } from '@keelson/core';
import { ReadTickets } from '@keelson/modules/tickets';
import { Appointment } from './appointments/entities.ts';

export default [liveRecord(Appointment, { admin: ReadTickets })];
