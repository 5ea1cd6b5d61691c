import { hooked } from '@keelson/core/plugin';
import { TicketsWritten } from '@keelson/modules/tickets';
import { forgetRatings } from './ratings.ts';

export default [hooked(TicketsWritten, forgetRatings)];
