import managers from './helpdesk/managers.ts';
import sites from './helpdesk/sites.ts';

export default [...managers, ...sites];
