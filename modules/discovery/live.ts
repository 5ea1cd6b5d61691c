import { liveRecord } from '@keelson/core';
import { ReadNetworks } from '@keelson/modules/inventory';
import { Collector, DiscoveryJob, DiscoveryResult } from './entities.ts';

export default [
  liveRecord(Collector, { admin: ReadNetworks }),
  liveRecord(DiscoveryJob, { admin: ReadNetworks }),
  liveRecord(DiscoveryResult, { admin: ReadNetworks }),
];
