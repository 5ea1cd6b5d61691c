import { runGroup } from './_run.ts';

await runGroup('admin', 2);
