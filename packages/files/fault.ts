// Errors of this package. Both carry one sentence for whoever asked.

/** A file that cannot be read: the sentence says what is wrong with it. */
export class FileFault extends Error {}

export const invalid = (sentence: string): FileFault => new FileFault(sentence);

/** A file that took too long to make. */
export class TookTooLong extends Error {}
