export { CollectorItem, listCollectors } from './collector-list.ts';
export { registerCollector } from './collectors.ts';
export { pendingCommands } from './command-queue.ts';
export { Collector, CollectorCommand, DiscoveryResult } from './entities.ts';
export { CollectorMoved, CollectorSynced, CommandEnded } from './events.ts';
export { startScan } from './scans.ts';
export { CollectorBackups, PartAnswer, type CollectorPlace } from './slots.ts';
