import { runGroup } from './_run.ts';

await runGroup('helpdesk', 2);
