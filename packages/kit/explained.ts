/**
 * Marks a sentence that is recorded in English and shown to people later, such as the reason of a failure, so that
 * `npm run words` collects it and pages translate it. Returns it unchanged.
 */
export const explained = (sentence: string): string => sentence;
