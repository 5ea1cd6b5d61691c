// How articles look wherever they are shown.

export const visibilities = { public: 'For customers', internal: 'Internal', both: 'For everybody' } as const;
