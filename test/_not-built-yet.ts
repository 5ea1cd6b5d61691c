// The operations of the documents that nobody has built yet, by module. The list is exact (operations.test.ts): whoever
// builds one takes its line out.
export const notBuiltYet: Readonly<Record<string, readonly string[]>> = {
  projects: [
    'helpdesk.projects.list',
    'helpdesk.projects.get',
    'helpdesk.projects.milestones.list',
    'helpdesk.milestones.pending',
    'helpdesk.milestones.approval_count',
    'helpdesk.milestones.get',
    'helpdesk.milestones.approve',
    'helpdesk.milestones.reject',
    'helpdesk.milestones.request_info',
    'helpdesk.projects.punch_list.list',
    'helpdesk.projects.punch_list.create',
    'helpdesk.projects.punch_list.respond',
    'helpdesk.projects.punch_list.attachments.create',
  ],
  backup: [
    'helpdesk.backup.status',
    'helpdesk.backup.restore_requests.list',
    'helpdesk.backup.restore_requests.create',
  ],
};
