import type { App } from '@keelson/core';
import { type Program, adminSurface, bearerOf, programIdentity, type Credentials } from '@keelson/core/system';
import { collectorByToken } from './collectors/tokens.ts';

const PER_MINUTE = 120;

// Authentication of collectors. A collector token is valid only for its three operations, which accept nothing else
//
export default [programIdentity(adminSurface, 'collector', collectorFromToken)];

async function collectorFromToken(app: App, from: Credentials): Promise<Program | 'refused' | undefined> {
  const credential = bearerOf(from);
  if (credential === undefined || credential === 'refused') return credential;
  const collector = await collectorByToken(app, credential.secret);
  if (!collector) return 'refused';
  const { collector_id, name } = collector;
  const called = name === '' ? collector_id : name;
  return {
    kind: 'program',
    company_number: collector.company_number,
    program: 'collector',
    id: collector_id,
    name: `Collector ${called}`,
    rate_limit_per_minute: PER_MINUTE,
  };
}
