// Generates web/api.d.ts with the types of all operations; part of npm run types.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../config/config.ts';
import { loadInstallation } from '../core/plugin/load.ts';
import { operationTypes } from '../core/web/types.ts';

const { loaded } = await loadInstallation(loadConfig().pluginsDir);
writeFileSync(join(import.meta.dirname, '../web/api.d.ts'), operationTypes(loaded));
