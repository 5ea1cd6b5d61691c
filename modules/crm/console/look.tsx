// Constants for displaying the sales pipeline.

export const LOST = 'closed_lost';
