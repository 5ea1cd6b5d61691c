// The operations of the documents that nobody has built yet, by module. The list is exact (operations.test.ts): whoever
// builds one takes its line out.
export const notBuiltYet: Readonly<Record<string, readonly string[]>> = {
  billing: [
    'helpdesk.billing.invoices.list',
    'helpdesk.billing.invoices.get',
    'helpdesk.billing.payments.list',
    'helpdesk.billing.proposals.list',
    'helpdesk.billing.proposals.get',
    'helpdesk.billing.proposals.act',
    'helpdesk.billing.subscriptions.list',
    'helpdesk.billing.statements.list',
    'admin.billing.invoices.list',
    'admin.billing.invoices.get',
    'admin.billing.invoices.update',
    'admin.billing.invoices.create',
    'admin.billing.payments.list',
    'admin.billing.payments.create',
    'admin.billing.subscriptions.list',
    'admin.billing.marketplace.list',
    'admin.billing.marketplace.purchase',
  ],
  reports: ['helpdesk.reports.metrics', 'admin.reports.metrics'],
  backup: [
    'helpdesk.backup.status',
    'helpdesk.backup.restore_requests.list',
    'helpdesk.backup.restore_requests.create',
  ],
};
