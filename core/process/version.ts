import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const manifest = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');

/** The product version. */
export const { version } = z.object({ version: z.string() }).parse(JSON.parse(manifest));
