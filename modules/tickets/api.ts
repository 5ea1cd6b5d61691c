export { approveTicket, rejectTicket, releasePending } from './approval.ts';
export {
  addComment,
  commentOnTicket,
  nextPublicComments,
  readComments,
  readPublicComments,
  type NewComment,
} from './comments.ts';
export { reopenAnswered, updateVisibleTicket } from './customer-update.ts';
export { readFigures, readOwnFigures } from './figures.ts';
export { createTicket, reserveTicketNumbers, type NewTicket } from './create.ts';
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
export type { TicketUpdate } from './inputs.ts';
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
} from './links.ts';
export { TechnicianMail, ticketMails } from './mail-templates.ts';
export { mailTechnician, ticketOfMail } from './notices.ts';
export { ticketIdOf } from './numbers.ts';
export { forgetTargets, keepTargets } from './outcome.ts';
export { priorityField } from './inputs.ts';
export { listActiveJobTypes, listJobTypes, optionalJobTypeField, type JobType } from './job-types.ts';
export { PortalTicket, TicketItem, TimeEntryItem } from './list.ts';
export { PortalReceipt } from './shapes.ts';
export { DeleteTickets, ReadTickets, WriteTickets } from './permissions.ts';
export { lockSurvivor } from './merged-into.ts';
export { findChangeableTicket, findTicket, findVisibleTicket, lockTicket, lockVisibleTicket } from './tickets.ts';
export { readLastAssignees } from './technicians.ts';
export { checkTeam, KnownTeams, readTeamNames } from './teams.ts';
export { assignTicket, closeTicket, deleteTicket, updateTicket } from './update.ts';
export { addWatchers, maySetWatchers, takesPart } from './watchers.ts';
export { visibleTickets, type Scope } from './visible.ts';
export {
  logTime,
  ofLivingTickets,
  readBillableTime,
  readWithCorrections,
  type BillableTime,
  type NewTimeEntry,
} from './time-entries.ts';
