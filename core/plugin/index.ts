// `@keelson/core/plugin`: less common plugin features, and APIs between plugins.

// Plugins: the types of their parts, and CLI commands.
export type { Plugin } from './plugin.ts';
export type { Route } from './route.ts';
export type { LiveRecord } from './live-record.ts';
export type { Permission, Surface } from './surface.ts';
export type { Event, Subscriber } from './declare.ts';
export { requireReadableEvents } from './event-access.ts';
export { command } from './command.ts';
export { middleware, type MiddlewarePlace, type PluginMiddleware, type PluginState } from './middleware.ts';

// Between plugins: slots that other plugins fill, hooks in their transactions, answer sources, workflow actions, and
// references that block deletion.
export { answerSource } from './answer-source.ts';
export { workflowAction, type WorkflowAction } from './workflow-action.ts';
export { workflowFields, type WorkflowFields } from './workflow-fields.ts';
export { fill, readSlot, referSlot, showSlot, slot } from './slot.ts';
export { hook, hooked, runHook } from './hook.ts';
export { findHolders } from './dependents.ts';
export { changed } from './changed.ts';

// Presence: who has a record open, announced like its changes.
export { announcePresence, doings, type ChangeKind, type Doing } from './record-change.ts';

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
} from './returns.ts';

// Locked rows: one row per key, such as a company's counter, created on first use.
export { lockedRow } from '@keelson/database/locked-row.ts';

// Troubles: what needs an administrator's attention.
export { readTroubles, type Trouble } from './troubles.ts';

// Signed tokens, for links in mails and for secret URLs.
export { signedIds, signedTokens } from './signed-token.ts';

// The installation's current date and currencies.
export { startOfDay } from './context.ts';
export { isCurrency, readCurrency, sameCurrency } from './currency.ts';

// Languages of people, companies and the provider, and the server's texts in them.
export {
  firstLanguage,
  languageCodes,
  languageColumn,
  languageInput,
  LanguageShape,
  type Speaker,
} from './language.ts';
export { cataloguesIn } from './catalogues.ts';
export { callerWording, labelsIn } from './caller-wording.ts';
export { spokenIn, worded, type Spoken, type Wording } from '@keelson/kit/wording.ts';
