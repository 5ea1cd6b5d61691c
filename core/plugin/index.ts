// `@keelson/core/plugin`: what few plugins add, and what plugins offer each other.

// Plugins: their parts as types, and commands of the command line.
export type { Plugin } from './plugin.ts';
export type { Route } from './route.ts';
export type { Permission } from './surface.ts';
export type { Event, Subscriber } from './declare.ts';
export { requireReadableEvents } from './event-access.ts';
export { command } from './command.ts';
export { middleware, type MiddlewarePlace, type PluginMiddleware, type PluginState } from './middleware.ts';

// Between plugins: places that others fill, answers that others give, and who holds a row.
export { answerSource } from './answer-source.ts';
export { fill, readSlot, showSlot, slot } from './slot.ts';
export { findHolders } from './dependents.ts';
export { changed } from './changed.ts';

// Presence: who has a record open, told like its changes.
export { announcePresence, doings, type Doing } from './record-change.ts';

// Answers beyond JSON: streams and files.
export { asset, stream, type FileAnswer } from './returns.ts';

// A row of a key, such as a count of a company, made where there is none yet.
export { lockedRow } from '../database/locked-row.ts';

// What an administrator must see to.
export { readTroubles, type Trouble } from './troubles.ts';

// Days and currencies: of the installation.
export { startOfDay } from './context.ts';
export { readCurrency, sameCurrency } from './currency.ts';
