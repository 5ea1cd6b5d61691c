// Errors of this package. Each carries one sentence for the caller.

/** A file that cannot be read; the message says why. */
export class FileFault extends Error {}

export const invalid = (sentence: string): FileFault => new FileFault(sentence);

/** A file that took too long to create. */
export class TookTooLong extends Error {}
