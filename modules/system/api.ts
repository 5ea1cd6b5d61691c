export { findImport, findOwnImport } from './imports.ts';
export { readBranding } from './branding/branding.ts';
export { absoluteLogo, readLogo } from './branding/logo.ts';
export {
  IdentityProvider,
  identityProviders,
  isOffered,
  openedSettings,
  providerBounds,
  ProviderShape,
  providerSettings,
  readProvider,
  readProviders,
  storeProvider,
  wantedProvider,
  type GivenProvider,
  type ProviderBounds,
} from './identity-providers.ts';
export { audiences, providerKeys, type ProviderKey } from './settings.ts';
export { TimeZoneChanged } from './events.ts';
export { CurrencyChanged, isRegionSet } from './installation/region.ts';
export { WebhookDisabled } from './mail-templates.ts';
export { AdministratorSession, ReadSettings, WriteSettings } from './permissions.ts';
export { Branding, Colors, type ColorSet } from './settings.ts';
