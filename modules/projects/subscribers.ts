import { subscriber } from '@keelson/core';
import {
  MilestoneApproved,
  MilestoneInfoRequested,
  MilestoneRejected,
  MilestoneSubmitted,
  PunchItemAnswered,
  PunchItemReady,
  PunchListSubmitted,
} from './events.ts';
import { mailDecision, mailItemNews, mailManagers, mailNewItems, mailSubmitter } from './notices.ts';

export default [
  subscriber('projects.ask-managers', MilestoneSubmitted, mailManagers),
  subscriber('projects.tell-approval', MilestoneApproved, mailDecision),
  subscriber('projects.tell-rejection', MilestoneRejected, mailDecision),
  subscriber('projects.tell-question', MilestoneInfoRequested, mailDecision),
  subscriber('projects.tell-items', PunchListSubmitted, mailNewItems),
  subscriber('projects.tell-answer', PunchItemAnswered, mailItemNews),
  subscriber('projects.ask-submitter', PunchItemReady, mailSubmitter),
];
