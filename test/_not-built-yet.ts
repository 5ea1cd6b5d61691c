// The operations of the documents that nobody has built yet, by module. The list is exact (operations.test.ts): whoever
// builds one takes its line out.
export const notBuiltYet: Readonly<Record<string, readonly string[]>> = {
  billing: [
    'helpdesk.billing.proposals.list',
    'helpdesk.billing.proposals.get',
    'helpdesk.billing.proposals.act',
    'helpdesk.billing.subscriptions.list',
    'admin.billing.subscriptions.list',
    'admin.billing.marketplace.list',
    'admin.billing.marketplace.purchase',
  ],
  backup: [
    'helpdesk.backup.status',
    'helpdesk.backup.restore_requests.list',
    'helpdesk.backup.restore_requests.create',
  ],
};
