import { subscriber } from '@keelson/core';
import { ProposalSent } from './events.ts';
import { mailProposal } from './proposals/mail.ts';

export default [subscriber('billing.mail-proposal', ProposalSent, mailProposal)];
