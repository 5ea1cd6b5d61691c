import { runGroup } from './_run.ts';

await runGroup('core', 2);
