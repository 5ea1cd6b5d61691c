// `@keelson/core/plugin`: less common plugin features, and APIs between plugins.

// Plugins: the types of their parts, and CLI commands.
export type { Plugin } from './plugin.ts';
export type { Route } from './route/route.ts';
export type { LiveRecord } from './declaration/live-record.ts';
export type { Permission, Surface } from './route/surface.ts';
export type { Event, Subscriber } from './declaration/declare.ts';
export { requireReadableEvents } from './route/event-access.ts';
export { command } from './declaration/command.ts';
export { middleware, type MiddlewarePlace, type PluginMiddleware, type PluginState } from './declaration/middleware.ts';

// Between plugins: slots that other plugins fill, hooks in their transactions, answer sources, workflow actions, and
// references that block deletion.
export { answerSource } from './declaration/answer-source.ts';
export { workflowAction, type WorkflowAction } from './declaration/workflow-action.ts';
export { workflowFields, type WorkflowFields } from './declaration/workflow-fields.ts';
export { fill, readSlot, referSlot, showSlot, slot } from './declaration/slot.ts';
export { hook, hooked, runHook } from './declaration/hook.ts';
export { findHolders } from './declaration/dependents.ts';
export { changed } from './cache-invalidation.ts';

// Presence: who has a record open, announced like its changes.
export { announcePresence, doings, type ChangeKind, type Doing } from './change-feed.ts';

// Responses beyond JSON: streams and files.
export {
  asset,
  framed,
  stored,
  stream,
  type EventSink,
  type FileAnswer,
  type StoredAnswer,
  type StreamAnswer,
} from './route/returns.ts';

// Locked rows: one row per key, such as a company's counter, created on first use.
export { lockedRow } from '@keelson/database/locked-row.ts';

// Troubles: what needs an administrator's attention.
export { readTroubles, type Trouble } from './troubles.ts';

// Signed tokens, for links in mails and for secret URLs.
export { signedIds, signedTokens } from './signed-token.ts';

// The installation's current date and currencies.
export { startOfDay } from './context.ts';
export { isCurrency, readCurrency, sameCurrency } from './setting/currency.ts';

// Languages of people, companies and the provider, and the server's texts in them.
export {
  firstLanguage,
  languageCodes,
  languageColumn,
  languageInput,
  LanguageShape,
  type Speaker,
} from './setting/language.ts';
export { cataloguesIn } from './load/catalogues.ts';
export { callerWording, labelsIn } from './setting/caller-wording.ts';
export { spokenIn, worded, type Spoken, type Wording } from '@keelson/kit/wording.ts';
