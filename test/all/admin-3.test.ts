import { runGroup } from './_run.ts';

await runGroup('admin', 3);
