// `@keelson/core/security`: credentials for calling other services.

// Service accounts: credentials for programs signing in to other services.
export { isRsaKey, serviceToken, type ServiceAccount } from './service-account.ts';
