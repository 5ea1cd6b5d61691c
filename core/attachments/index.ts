// `@keelson/core/attachments`: for modules that show files of their records elsewhere.

// Attachments: files of a record, on both surfaces.
export type { AttachmentFace, AttachmentOptions, AttachmentSight, PathIds } from './attachment-options.ts';
export { AttachmentLink, readAttachments } from './attachments-of.ts';
export { readStoredFiles } from './stored-files.ts';
export { moveAttachments } from './store-attachment.ts';
export { AttachmentAdded, AttachmentRemoved } from './attachment.ts';

// Attaching a generated file.
export { attachFile } from './attach.ts';
