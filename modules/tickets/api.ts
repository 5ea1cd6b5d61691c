export { approveTicket, rejectTicket, releasePending } from './approvals/approval.ts';
export {
  addComment,
  commentOnTicket,
  nextPublicComments,
  readComments,
  readPublicComments,
  type NewComment,
} from './comments/comments.ts';
export { reopenAnswered, updateVisibleTicket } from './ticket/customer-update.ts';
export { readFigures, readOwnFigures } from './figures/figures.ts';
export { createTicket, reserveTicketNumbers, type NewTicket } from './ticket/create.ts';
export { JobTypes } from './dropdowns.ts';
export {
  TicketFromTemplate,
  TicketsClosing,
  TicketsMerged,
  TicketsWritten,
  type Closing,
  type FromTemplate,
  type Merge,
  type TicketWrite,
} from './hooks.ts';
export {
  openStatuses,
  priorityLabels,
  sides,
  statuses,
  Ticket,
  TicketAsset,
  TicketComment,
  TicketCount,
  TicketTimeEntry,
  TicketWatcher,
  type Side,
  type Status,
} from './entities.ts';
export {
  TicketAnswered,
  TicketAssigned,
  TicketClosed,
  TicketCommented,
  TicketConcern,
  TicketCreated,
  TicketFollowed,
  TicketMentioned,
  TicketUpdated,
} from './events.ts';
export type { TicketUpdate } from './ticket/inputs.ts';
export { BilledTime } from './time-entries.ts';
export {
  ChecklistItem,
  KnownAssets,
  LinkedContract,
  readAssetTypes,
  TicketChecklist,
  TicketContracts,
  TicketLevel,
  TicketLevels,
  TicketReplies,
  TicketSurveys,
} from './related/links.ts';
export { TechnicianMail, ticketMails } from './mail-templates.ts';
export { mailComment, mailTechnician, ticketOfMail } from './notices.ts';
export { ticketIdOf } from './ticket/numbers.ts';
export { forgetTargets, keepTargets } from './figures/outcome.ts';
export { priorityField } from './ticket/inputs.ts';
export { listActiveJobTypes, listJobTypes, optionalJobTypeField, type JobType } from './ticket/job-types.ts';
export { PortalTicket, TicketItem, TimeEntryItem } from './ticket/list.ts';
export { PortalReceipt } from './ticket/shapes.ts';
export { DeleteTickets, ReadTickets, WriteTickets } from './permissions.ts';
export { lockSurvivor, readMergedInto, readMergesInto } from './related/merged-into.ts';
export {
  findChangeableTicket,
  findTicket,
  findVisibleTicket,
  lockTicket,
  lockVisibleTicket,
} from './ticket/tickets.ts';
export { livingTickets } from './ticket/living.ts';
export { readLastAssignees } from './people/technicians.ts';
export { checkTeam, KnownTeams, readTeamNames } from './people/teams.ts';
export { assignTicket, closeTicket, deleteTicket, updateTicket } from './ticket/update.ts';
export { addWatchers, maySetWatchers, takesPart } from './people/watchers.ts';
export { visibleTickets, type Scope } from './ticket/visible.ts';
export {
  logTime,
  ofLivingTickets,
  readBillableTime,
  readWithCorrections,
  type BillableTime,
  type NewTimeEntry,
} from './time-entries.ts';
