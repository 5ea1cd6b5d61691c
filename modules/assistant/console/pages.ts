import { consolePart } from '@keelson/core';
import { ReadSettings } from '@keelson/modules/system';

export default consolePart(import.meta.dirname, {
  panels: [{ slot: 'settings.card', title: 'Assistant', file: 'model-card', access: ReadSettings, order: 20 }],
});
