import { t, words } from '@keelson/web';

/** Returns the name of a sales stage. Discovery also means finding devices in networks, with another word in German. */
export const stageName = (stage: string): string =>
  stage === 'discovery' ? t('Discovery', {}, 'stage') : words(stage, 'stage');
