export { findImport, findOwnImport } from './imports.ts';
export { readBranding } from './branding.ts';
export { absoluteLogo, readLogo } from './logo.ts';
export {
  IdentityProvider,
  identityProviders,
  providerBounds,
  providerKeys,
  providerSettings,
  type ProviderBounds,
  type ProviderKey,
} from './identity-providers.ts';
export { TimeZoneChanged } from './events.ts';
export { CurrencyChanged, isRegionSet } from './region.ts';
export { WebhookDisabled } from './mail-templates.ts';
export { ReadSettings, WriteSettings } from './permissions.ts';
export { Branding, Colors, type ColorSet } from './settings.ts';
