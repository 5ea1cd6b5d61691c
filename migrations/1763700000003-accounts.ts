// Initial account tables. Later changes are separate migrations.
import { z } from 'zod';
import { migration, type Migrator } from '../core/database/migrate.ts';
import { choice, flag, id, int, json, key, ref, text, when } from '../core/database/table.ts';

export default migration('1763700000003-accounts', async (m) => {
  await createEmployeeSessions(m);
  await createTechnicianSessions(m);
  await createKeys(m);
  await createIdentities(m);
  await createSecondFactors(m);
});

async function createEmployeeSessions(m: Migrator): Promise<void> {
  await m.createTable(
    'employee_session',
    {
      session_id: id(),
      employee_number: ref('employee.employee_number'),
      token_hash: key(64).nullable().unique(),
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
    'refresh_token',
    {
      token_id: id(),
      session_id: ref('employee_session.session_id'),
      parent_id: int().nullable(),
      token_hash: key(64).unique(),
      state: choice('live', 'pending', 'retired', 'revoked'),
      created_at: when(),
      used_at: when().nullable(),
      retired_at: when().nullable(),
      retired_by: int().nullable(),
    },
    [['session_id', 'state']],
  );
}

async function createTechnicianSessions(m: Migrator): Promise<void> {
  await m.createTable(
    'technician_session',
    {
      session_id: id(),
      user_id: ref('technician.user_id'),
      token_hash: key(64).unique(),
      access_version: int(),
      ip_address: text(45).default(''),
      created_at: when(),
      last_used_at: when(),
      expires_at: when(),
    },
    [['user_id'], ['expires_at']],
  );
  await m.createTable(
    'account_link',
    {
      link_id: id(),
      purpose: choice('invitation', 'reset'),
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
  await m.createTable('set_up_link', {
    link_id: id(),
    token_hash: key(64).unique(),
    created_at: when(),
  });
}

async function createKeys(m: Migrator): Promise<void> {
  await m.createTable(
    'api_key',
    {
      key_id: id(),
      type: choice('admin', 'crm_secret', 'crm_public_live', 'crm_public_test'),
      name: text(255),
      key_hash: key(64).unique(),
      prefix: text(16),
      permissions: json(z.array(z.string())),
      rate_limit_per_minute: int(),
      allowed_origins: json(z.array(z.string())),
      allowed_addresses: json(z.array(z.string())),
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
}

async function createIdentities(m: Migrator): Promise<void> {
  await m.createTable(
    'linked_identity',
    {
      identity_id: id(),
      employee_number: ref('employee.employee_number'),
      issuer: key(255),
      subject: key(255),
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
  await m.createTable('used_state', { state_hash: key(64).primary(), used_at: when() }, [['used_at']]);
}

async function createSecondFactors(m: Migrator): Promise<void> {
  await m.createTable('second_factor', {
    factor_id: id(),
    employee_number: ref('employee.employee_number').nullable().unique(),
    user_id: ref('technician.user_id').nullable().unique(),
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
}
