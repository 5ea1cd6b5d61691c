// `@keelson/core/attachments`: what a module needs that shows files of its records somewhere else.

// Attachments: files of a record, on both surfaces.
export type { AttachmentFace, AttachmentOptions, AttachmentSight, PathIds } from './attachments.ts';
export { AttachmentLink, readAttachments } from './attachments-of.ts';
export { moveAttachments } from './keep.ts';
export { AttachmentAdded, AttachmentRemoved } from './attachment.ts';

// A file that the program itself attaches.
export { attachFile } from './attach.ts';
