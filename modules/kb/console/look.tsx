// Shared display elements of articles.
import { t } from '@keelson/web';

export const visibilities = { public: t('For customers'), internal: t('Internal'), both: t('Public') } as const;
