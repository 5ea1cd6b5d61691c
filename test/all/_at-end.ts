// What the files of a test process share is closed with the process.
type Work = () => Promise<unknown>;

const left: Work[] = [];

/** Runs `work` after the last test of the process. */
export function atEnd(work: Work): void {
  left.push(work);
}

/** Does what is left for the end. Programs other than AVA call it themselves. */
export async function end(): Promise<void> {
  for (const work of left.splice(0)) await work();
}
