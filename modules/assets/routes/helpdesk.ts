import assets from './helpdesk/assets.ts';
import parts from './helpdesk/parts.ts';

export default [...assets, ...parts];
