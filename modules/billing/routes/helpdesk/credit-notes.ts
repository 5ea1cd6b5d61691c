// Credit notes of the caller's company.
import { file, findVisible, helpdesk, item, list, pageOf } from '@keelson/core';
import { seesBilling } from '@keelson/core/surfaces';
import { CreditNoteDetail, readCreditNote } from '../../credits/credit-detail.ts';
import { PortalCreditNote } from '../../credits/credit-list.ts';
import { creditNotePdf } from '../../credits/pdf.ts';

export default [
  helpdesk.get('/billing/credit-notes', {
    title: 'List one’s company’s credit notes',
    addition: true,
    access: seesBilling,
    query: helpdesk.paging({}, { whole: true }),
    returns: list(PortalCreditNote, 'credit_notes'),
    handle: (ctx, { query }) => pageOf(ctx, PortalCreditNote, query),
  }),
  helpdesk.get('/billing/credit-notes/{id}', {
    title: 'Show a credit note with its lines and uses',
    addition: true,
    access: seesBilling,
    returns: item(CreditNoteDetail),
    load: (ctx, { id }) => findVisible(ctx, PortalCreditNote, id),
    handle: (ctx, { item: note }) => readCreditNote(ctx, note),
  }),
  helpdesk.get('/billing/credit-notes/{id}/pdf', {
    title: 'Download a credit note as a PDF',
    addition: true,
    access: seesBilling,
    returns: file('application/pdf'),
    load: (ctx, { id }) => findVisible(ctx, PortalCreditNote, id),
    handle: (ctx, { item: note }) => creditNotePdf(ctx, note),
  }),
];
