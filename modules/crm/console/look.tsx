// How the sales pipeline looks wherever it is shown.

export const LOST = 'closed_lost';
