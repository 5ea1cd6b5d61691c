export { ReadSettings, WriteSettings } from './permissions.ts';
export { Branding, Colors, type ColorSet } from './settings.ts';
