export { CollectorItem, listCollectors } from './collectors/collector-list.ts';
export { registerCollector } from './collectors/collectors.ts';
export { pendingCommands } from './collectors/command-queue.ts';
export { Collector, CollectorCommand, commandTypes, DiscoveryResult } from './entities.ts';
export { CollectorMoved, CollectorSynced, CommandEnded } from './events.ts';
export { startScan } from './scans/scans.ts';
export { CollectorBackups, PartAnswer, type CollectorPlace } from './slots.ts';
