import { setting, z } from '@keelson/core';

/** Whether the mail about a closed ticket asks its requester for a rating. */
export const AskForRatings = setting('feedback.ask', z.boolean(), true);
