// Shared display elements of articles.

export const visibilities = { public: 'For customers', internal: 'Internal', both: 'Public' } as const;
