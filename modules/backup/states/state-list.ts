// Views and lists of backup states. Separate from states.ts, because their event carries the list fields.
import { by, noun, param, sql, view, z } from '@keelson/core';
import { CompanyNames } from '@keelson/modules/directory';
import { BackupState, drillResults } from '../entities.ts';

export const drillStates = ['never_tested', ...drillResults] as const;

export const stateNoun = noun(BackupState, {
  title: 'Backup state',
  filters: (its) => ({
    company_number: its.is('company_number'),
    status: its.is('status'),
    restore_test: its.by(param.choice([...drillStates, 'all']), (_ctx, result) => {
      if (result === 'all') return undefined;
      if (result === 'never_tested') return sql`backup_state.last_drill_result IS NULL`;
      return sql`backup_state.last_drill_result = ${result}`;
    }),
  }),
  // Companies that never reported a backup come first.
  sorts: { reported: by('reported'), company_number: by('company_number') },
  order: 'asc',
});

export const StateItem = view(stateNoun, {
  only: ['company_number', 'status', 'since', 'machines', 'failed_machines', 'late_machines', 'last_drill_on'],
  more: (its) => ({
    company_name: its.name(CompanyNames, 'company_number'),
    restore_test: its.from(
      z.enum(drillStates),
      ['last_drill_result'],
      (row) => row.last_drill_result ?? 'never_tested',
    ),
  }),
});
