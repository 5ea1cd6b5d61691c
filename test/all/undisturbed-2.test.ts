import { runGroup } from './_run.ts';

await runGroup('undisturbed', 2);
