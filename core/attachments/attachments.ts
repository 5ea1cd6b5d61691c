// Declares that a record has attachments: who may read and add them, and on which surfaces.
import type { Table } from '@keelson/database/schema/table.ts';
import type { Attached } from '../plugin/plugin.ts';
import type { Noun } from '../record/noun.ts';
import { admin } from '../surfaces/admin.ts';
import { helpdesk } from '../surfaces/helpdesk.ts';
import type { AttachmentOptions, Paths } from './attachment-options.ts';
import { routesOf } from './attachment-routes.ts';

/**
 * Declares that a record has attachments, with routes to list, upload, download and delete them on the given surfaces.
 * A caller who sees the record sees its attachments; one who may change it may add and delete them.
 */
export function attachments<T extends Table, P extends Table = never>(
  of: Noun<T, any, any>,
  options: AttachmentOptions<T, P>,
): Attached {
  const noun = of.title.toLowerCase();
  const the = { table: of.table, noun, options };
  const routes = [
    ...(options.admin
      ? routesOf(admin, adminPaths(options.admin.path), the, options.admin, ['all attachments', 'any'])
      : []),
    ...(options.helpdesk
      ? routesOf(helpdesk, helpdeskPaths(options.helpdesk), the, options.helpdesk, ['attachments', aOrAn(noun)])
      : []),
  ];
  return Object.freeze({ of: of.table, noun, call: options.call, routes: Object.freeze(routes) });
}

const adminPaths = (path: string): Paths => ({
  all: `${path}?action=attachments&id={id}`,
  one: `${path}?action=attachment&id={id}&attachment_id={attachment_id}`,
});
const helpdeskPaths = ({ path, key = 'id' }: { readonly path: string; readonly key?: string }): Paths => ({
  all: `${path}/{${key}}/attachments`,
  one: `${path}/{${key}}/attachments/{attachment_id}`,
});
const aOrAn = (noun: string): string => (/^[aeiou]/.test(noun) ? 'an' : 'a');
