// `@keelson/core/security`: calling other services.

// Egress: requests to other services, with private networks refused, deadlines and limits (`ctx.app.egress`).
export { EgressRefused, type Egress } from './egress.ts';
