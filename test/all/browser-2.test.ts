import { runGroup } from './_run.ts';

await runGroup('browser', 2);
