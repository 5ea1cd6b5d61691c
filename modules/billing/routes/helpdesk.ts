import sales from './helpdesk/sales.ts';

export default [...sales];
