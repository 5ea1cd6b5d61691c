// Marks contacts of converted prospects, which only technicians can activate (C-17).
import { migration } from '../core/database/migrate.ts';
import { flag } from '../core/database/table.ts';

export default migration('1763700000010-awaits-technician', (m) =>
  m.addColumn('employee', 'awaits_technician', flag().default(false)),
);
