// The tables of the module accounts.
import { z } from 'zod';
import { migration } from '../packages/database/migration/migrate.ts';
import { flag, id, int, json, key, ref, text, when } from '../packages/database/schema/table.ts';

export default migration('1763600000003-accounts', async (m) => {
  await m.createTable(
    'account_link',
    {
      link_id: id(),
      purpose: text(40),
      user_id: ref('technician.user_id').nullable(),
      employee_number: ref('employee.employee_number').nullable(),
      token_hash: key(64).unique(),
      email_key: key(254),
      access_version: int(),
      created_at: when(),
      expires_at: when(),
      used_at: when().nullable(),
    },
    [['user_id', 'created_at'], ['employee_number', 'created_at'], ['expires_at']],
  );
  await m.createTable(
    'api_key',
    {
      key_id: id(),
      type: text(40),
      name: text(255),
      key_hash: key(64).unique(),
      prefix: text(16),
      permissions: json(z.unknown()),
      rate_limit_per_minute: int(),
      allowed_origins: json(z.unknown()),
      allowed_addresses: json(z.unknown()),
      allow_reveal: flag().default(false),
      expires_at: when().nullable(),
      warned_at: when().nullable(),
      last_used_at: when().nullable(),
      granted_by_user_id: ref('technician.user_id').nullable(),
      granted_by_key_id: int().nullable(),
      created_at: when(),
      revoked_at: when().nullable(),
      retired: flag().default(false),
    },
    [['revoked_at', 'created_at'], ['revoked_at', 'expires_at'], ['retired']],
  );
  await m.createTable(
    'employee_session',
    {
      session_id: id(),
      employee_number: ref('employee.employee_number'),
      token_hash: key(64).unique().nullable(),
      access_version: int(),
      ip_address: text(45).default(''),
      created_at: when(),
      last_used_at: when(),
      expires_at: when(),
      revoked_at: when().nullable(),
    },
    [['employee_number', 'revoked_at'], ['expires_at']],
  );
  await m.createTable(
    'linked_identity',
    {
      identity_id: id(),
      employee_number: ref('employee.employee_number'),
      issuer: key(),
      subject: key(),
      created_at: when(),
      last_used_at: when(),
    },
    [],
    {
      unique: [
        ['issuer', 'subject'],
        ['employee_number', 'issuer'],
      ],
    },
  );
  await m.createTable(
    'refresh_token',
    {
      token_id: id(),
      session_id: ref('employee_session.session_id'),
      parent_id: int().nullable(),
      token_hash: key(64).unique(),
      state: text(40),
      created_at: when(),
      used_at: when().nullable(),
      retired_at: when().nullable(),
      retired_by: int().nullable(),
    },
    [['session_id', 'state']],
  );
  await m.createTable('second_factor', {
    factor_id: id(),
    employee_number: ref('employee.employee_number').unique().nullable(),
    user_id: ref('technician.user_id').unique().nullable(),
    sealed_key: text(),
    used_step: int().nullable(),
    created_at: when(),
    enabled_at: when().nullable(),
  });
  await m.createTable(
    'recovery_code',
    {
      code_id: id(),
      factor_id: ref('second_factor.factor_id'),
      code_hash: key(64),
      used_at: when().nullable(),
    },
    [['factor_id', 'used_at']],
  );
  await m.createTable('set_up_link', {
    link_id: id(),
    token_hash: key(64).unique(),
    created_at: when(),
  });
  await m.createTable(
    'technician_session',
    {
      session_id: id(),
      user_id: ref('technician.user_id'),
      token_hash: key(64).unique(),
      access_version: int(),
      ip_address: text(45).default(''),
      confirmed_at: when().nullable(),
      created_at: when(),
      last_used_at: when(),
      expires_at: when(),
    },
    [['user_id'], ['expires_at']],
  );
  await m.createTable(
    'used_state',
    {
      state_hash: key(64).primary(),
      used_at: when(),
    },
    [['used_at']],
  );
});
