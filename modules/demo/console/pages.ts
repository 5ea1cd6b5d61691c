import { administrators, consolePart } from '@keelson/core';
import { ReadSettings } from '@keelson/modules/system';

export default consolePart(import.meta.dirname, {
  // For authors of pages, so it is not in the navigation.
  pages: [{ path: '/components', title: 'Components', file: 'components', access: administrators(ReadSettings) }],
});
