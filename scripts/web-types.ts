// Generates the types of all operations for browser code and for @keelson/client; part of npm run types.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../config/config.ts';
import { loadInstallation } from '../core/plugin/load/load.ts';
import { operationTypes } from './operation-types.ts';

const { loaded } = await loadInstallation(loadConfig().pluginsDir);
const text = operationTypes(loaded);
for (const file of ['../web/api.d.ts', '../packages/client/operations.d.ts'])
  writeFileSync(join(import.meta.dirname, file), text);
