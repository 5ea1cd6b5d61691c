import { runGroup } from './_run.ts';

await runGroup('rest', 1);
