import assets from './admin/assets.ts';
import parts from './admin/parts.ts';

export default [...assets, ...parts];
