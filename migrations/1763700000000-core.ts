// Initial core tables. Later changes are separate migrations.
import { z } from 'zod';
import { migration, type Migrator } from '../core/database/migrate.ts';
import { choice, flag, id, int, json, key, text, when } from '../core/database/table.ts';

export default migration('1763700000000-core', async (m) => {
  await createEvents(m);
  await createLogs(m);
  await createKeys(m);
  await createMails(m);
  await createSmallTables(m);
});

async function createEvents(m: Migrator): Promise<void> {
  await m.createTable('event', {
    event_id: key(40).primary(),
    name: text(100),
    at: when(),
    data: json(z.unknown()),
    changed: json(z.array(z.string())).nullable(),
    cause: key(120).nullable(),
  });
  await m.createTable(
    'delivery',
    {
      delivery_id: id(),
      event_id: key(40),
      subscriber: key(120),
      state: choice('open', 'done', 'parked').default('open'),
      available_at: when(),
      attempts: int().default(0),
      fence: int().default(0),
      error: text(500).nullable(),
      status: int().nullable(),
      answer: text(1024).nullable(),
      done_at: when().nullable(),
    },
    [['state', 'subscriber', 'available_at'], ['event_id'], ['subscriber']],
  );
  await m.createTable(
    'job_run',
    {
      run_id: id(),
      name: key(100),
      due_at: when(),
      started_at: when(),
      finished_at: when().nullable(),
      leased_until: when(),
      outcome: choice('running', 'done', 'failed'),
      error: text(500).nullable(),
      duration_ms: int().nullable(),
    },
    [['outcome', 'leased_until']],
    { unique: [['name', 'due_at']] },
  );
}

async function createLogs(m: Migrator): Promise<void> {
  await m.createTable(
    'activity_log',
    {
      log_id: id(),
      author_type: choice('technician', 'employee', 'api', 'system', 'assistant'),
      author_id: int().nullable(),
      user_id: int().nullable(),
      user: text(200),
      action: choice('create', 'update', 'delete'),
      entity_type: text(60),
      entity_id: text(64),
      description: text(500),
      changes: json(z.unknown()),
      ip_address: text(45),
      request_id: text(64),
      block_id: int().nullable(),
      created_at: when(),
    },
    [
      ['created_at'],
      ['action', 'created_at'],
      ['entity_type', 'created_at'],
      ['user', 'created_at'],
      ['user_id', 'created_at'],
      ['block_id'],
    ],
  );
  await m.createTable(
    'activity_block',
    {
      block_id: id(),
      previous: key(64).unique(),
      hash: key(64),
      lines: int(),
      digests: text().nullable(),
      forgotten: key(64).nullable(),
      sealed_at: when(),
    },
    [['sealed_at']],
  );
  await m.createTable('activity_tally', {
    user: text(200).primary(),
    entity_type: text(60).primary(),
    action: text(40).primary(),
    n: int(),
  });
  await m.createTable(
    'error_log',
    {
      error_id: id(),
      level: choice('error', 'warning'),
      message: text(1000),
      path: text(500),
      method: text(10),
      status: int(),
      request_id: text(64),
      stack: text().nullable(),
      created_at: when(),
    },
    [['created_at'], ['level', 'created_at']],
  );
  await m.createTable('error_count', { level: text(40).primary(), n: int() });
  await m.createTable('error_count_delta', { delta_id: id(), level: text(40), n: int() });
}

async function createKeys(m: Migrator): Promise<void> {
  await m.createTable(
    'idempotency_key',
    {
      idempotency_id: id(),
      principal: key(100),
      route: key(200),
      key_hash: key(64),
      body_hash: key(64),
      state: choice('running', 'done'),
      fence: int(),
      status: int().nullable(),
      answer: text().nullable(),
      leased_until: when(),
      created_at: when(),
      expires_at: when(),
    },
    [['expires_at']],
    { unique: [['principal', 'route', 'key_hash']] },
  );
}

async function createMails(m: Migrator): Promise<void> {
  await m.createTable(
    'mail',
    {
      mail_id: key(40).primary(),
      template: key(64),
      recipient_name: text(255),
      recipient_address: text(254),
      data: text().nullable(),
      state: choice('waiting', 'held', 'sent', 'failed', 'skipped').default('waiting'),
      error: text(500).nullable(),
      created_at: when(),
      sent_at: when().nullable(),
    },
    [
      ['state', 'created_at', 'mail_id'],
      ['created_at', 'mail_id'],
    ],
  );
  await m.createTable('email_template', {
    template_id: id(),
    key: key(64).unique(),
    subject: text(255).nullable(),
    body: text().nullable(),
    active: flag().default(true),
    updated_at: when(),
  });
}

async function createSmallTables(m: Migrator): Promise<void> {
  await m.createTable('sequence', { name: key(64).primary(), next: int() });
  await m.createTable('counter_fold', { name: key(64).primary(), folded_at: when() });
  await m.createTable('name_version', { name: key(64).primary(), version: int() });
  await m.createTable('setting', { name: key(120).primary(), value: json(z.unknown()), updated_at: when() });
  await m.createTable('module_switch', {
    company_number: int().primary(),
    module: text(64).primary(),
    enabled: flag(),
    updated_at: when(),
  });
}
