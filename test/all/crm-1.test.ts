import { runGroup } from './_run.ts';

await runGroup('crm', 1);
