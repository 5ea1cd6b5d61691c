// `@keelson/core/security`: secrets for speaking to other services.

// Service accounts: what programs sign in with elsewhere.
export { isRsaKey, serviceToken, type ServiceAccount } from './service-account.ts';
