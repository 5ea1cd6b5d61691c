import employees from './helpdesk/employees.ts';
import managers from './helpdesk/managers.ts';
import sites from './helpdesk/sites.ts';

export default [...employees, ...managers, ...sites];
