import assets from './admin/assets.ts';
import identifiers from './admin/identifiers.ts';
import linked from './admin/linked.ts';
import many from './admin/many.ts';
import parts from './admin/parts.ts';

export default [...assets, ...parts, ...many, ...linked, ...identifiers];
