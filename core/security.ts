// `@keelson/core/security`: calling other services.

// Egress: requests to other services, with private networks refused, deadlines and limits (`ctx.app.egress`).
export { EgressRefused, type Egress } from '@keelson/security/egress.ts';

// Secrets that are sent to no other host than the one they were entered for.
export { keptSecret } from '@keelson/security/kept-secret.ts';
