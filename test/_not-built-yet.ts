// The operations of the documents that nobody has built yet, by module. The list is exact (operations.test.ts): whoever
// builds one takes its line out.
export const notBuiltYet: Readonly<Record<string, readonly string[]>> = {
};
