/**
 * Returns what a caught value says: the message of an error, or the value as text.
 * @example `catch (error) { throw invalid(`The server did not answer: ${messageOf(error)}`); }`
 */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
