// What a failed test shows besides its requests, such as the pages it had open.
type Describe = () => Promise<readonly string[]>;

const known: Describe[] = [];

/** Adds the lines that `describe` returns to every failure in this process. */
export function onFailure(describe: Describe): void {
  known.push(describe);
}

/** Returns the lines that describe a failure. */
export async function describeFailure(): Promise<string[]> {
  const lines: string[] = [];
  for (const describe of known) lines.push(...(await describe()));
  return lines;
}
