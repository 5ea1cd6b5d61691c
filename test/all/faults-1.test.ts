import { runGroup } from './_run.ts';

await runGroup('faults', 1);
