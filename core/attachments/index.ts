// `@keelson/core/attachments`: what a module needs that shows files of its records somewhere else.

// Attachments: files of a record, on both surfaces.
export type { AttachmentFace, AttachmentOptions, AttachmentSight } from './attachments.ts';
export { AttachmentLink, readAttachments } from './attachments-of.ts';
export { AttachmentAdded, AttachmentRemoved } from './attachment.ts';
