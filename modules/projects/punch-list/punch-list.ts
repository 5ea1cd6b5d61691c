// Punch list views and filters, separate from punch-items.ts because events carry the items.
import { by, In, noun, restrict, view, z, type Context } from '@keelson/core';
import { AttachmentLink, readAttachments } from '@keelson/core/attachments';
import { PunchItem, PunchResponse } from '../entities.ts';
import { ownCompany } from '../visible.ts';

export const punchItemNoun = noun(PunchItem, {
  title: 'Punch-list item',
  filters: (its) => ({ status: its.is('status') }),
  sorts: { item_id: by('item_id') },
  order: 'asc',
});

const Response = PunchResponse.shape.omit({ item_id: true });

/** Item with its responses and files (F-40). */
export const PunchItemView = view(punchItemNoun, {
  except: ['company_number'],
  more: (its) => ({
    responses: its.lookup(z.array(Response), 'item_id', readResponses, []),
    attachments: its.lookup(z.array(AttachmentLink), 'item_id', (ctx, ids) => readAttachments(ctx, PunchItem, ids), []),
  }),
});
export const PortalPunchItem = restrict(PunchItemView, ownCompany);

/** Item in events. */
export const PunchItemFacts = view(punchItemNoun);

async function readResponses({ db }: Context, ids: readonly number[]): Promise<Map<number, PunchResponse[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db.find(PunchResponse, {
    where: { item_id: In([...new Set(ids)]) },
    order: { response_id: 'ASC' },
  });
  return Map.groupBy(rows, (each) => each.item_id);
}
