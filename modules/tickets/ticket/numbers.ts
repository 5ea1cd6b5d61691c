// Ids and public numbers of tickets: each derives from the other.

export const FIRST_NUMBER = 1001;

/** Derives the id from the ticket number, so that the id is known before the row is stored. */
export const ticketIdOf = (ticketNumber: number): number => ticketNumber - FIRST_NUMBER + 1;

/** Returns the number of a ticket. */
export const numberOf = (ticketId: number): number => ticketId + FIRST_NUMBER - 1;
