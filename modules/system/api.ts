export { Branding, Colors, type ColorSet } from './settings.ts';
