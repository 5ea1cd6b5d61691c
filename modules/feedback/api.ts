export { TicketRated, TicketRatingCommented } from './events.ts';
