// Files of punch-list items. Customer uploads are documented (PR-03); reading them back (PR-04) and the provider's
// routes are additions.
import { attachments, signedIn } from '@keelson/core';
import type { PathIds } from '@keelson/core/attachments';
import { ReadTickets, WriteTickets } from '@keelson/modules/tickets';
import { findOwnItem, lockOwnItem, type ItemPath } from './find-one.ts';
import { PunchItems, refuseClosed } from './punch-list/punch-items.ts';
import { PunchItemView } from './punch-list/punch-list.ts';

const unknown = 'application/octet-stream';

/** Accepted types (PR-03). Office documents look like archives by their signature, and text need not be UTF-8. */
const accepts: ReadonlyMap<string, readonly string[]> = new Map([
  ['png', ['image/png']],
  ['jpg', ['image/jpeg']],
  ['jpeg', ['image/jpeg']],
  ['gif', ['image/gif']],
  ['webp', ['image/webp']],
  ['pdf', ['application/pdf']],
  ['txt', ['text/plain', unknown]],
  ['csv', ['text/plain', unknown]],
  ['docx', ['application/zip']],
  ['xlsx', ['application/zip']],
  ['zip', ['application/zip']],
]);

export const PunchItemAttachments = attachments(PunchItems, {
  company: (item) => item.company_number,
  call: (item) => item.title,
  accepts,
  admin: { path: '/projects/punch-list.php', read: ReadTickets, write: WriteTickets, view: PunchItemView },
  helpdesk: {
    path: '/projects/{project_id}/punch-list',
    key: 'item_id',
    documented: true,
    read: signedIn,
    write: signedIn,
    find: (ctx, item_id, ids) => findOwnItem(ctx, pathOf(item_id, ids)),
    // Closed items and their files are immutable (M-12).
    async lock(ctx, item_id, ids) {
      const item = await lockOwnItem(ctx, pathOf(item_id, ids));
      refuseClosed(item);
      return item;
    },
  },
});

function pathOf(item_id: number, ids: PathIds): ItemPath {
  return { item_id, project_id: ids['project_id'] ?? 0 };
}
