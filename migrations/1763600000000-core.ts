// The tables of core.
import { z } from 'zod';
import { migration } from '../packages/database/migration/migrate.ts';
import { big, flag, id, int, json, key, text, when } from '../packages/database/schema/table.ts';

export default migration('1763600000000-core', async (m) => {
  await m.createTable('event', {
    event_id: key(40).primary(),
    name: text(100),
    at: when(),
    data: json(z.unknown()),
    changed: json(z.unknown()).nullable(),
    cause: key(120).nullable(),
  });
  await m.createTable(
    'delivery',
    {
      delivery_id: id(),
      event_id: key(40),
      subscriber: key(120),
      state: text(40).default('open'),
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
      outcome: text(40),
      error: text(500).nullable(),
      duration_ms: int().nullable(),
    },
    [['outcome', 'leased_until']],
    { unique: [['name', 'due_at']] },
  );
  await m.createTable(
    'activity_log',
    {
      log_id: id(),
      author_type: text(40),
      author_id: int().nullable(),
      user_id: int().nullable(),
      user: text(200),
      action: text(40),
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
      ['entity_type', 'entity_id', 'log_id'],
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
      level: text(40),
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
  await m.createTable('error_count', {
    level: text(40).primary(),
    n: int(),
  });
  await m.createTable('error_count_delta', {
    delta_id: id(),
    level: text(40),
    n: int(),
  });
  await m.createTable(
    'idempotency_key',
    {
      idempotency_id: id(),
      principal: key(100),
      route: key(200),
      key_hash: key(64),
      body_hash: key(64),
      state: text(40),
      fence: int(),
      status: int().nullable(),
      answer: text().nullable(),
      answer_bytes: int().default(0),
      leased_until: when(),
      created_at: when(),
      expires_at: when(),
    },
    [['expires_at']],
    { unique: [['principal', 'route', 'key_hash']] },
  );
  await m.createTable('sequence', {
    name: key(64).primary(),
    next: int(),
  });
  await m.createTable('counter_fold', {
    name: key(64).primary(),
    folded_at: when(),
  });
  await m.createTable('name_version', {
    name: key(64).primary(),
    version: int(),
  });
  await m.createTable('setting', {
    name: key(120).primary(),
    value: json(z.unknown()),
    updated_at: when(),
  });
  await m.createTable('module_switch', {
    company_number: int().primary(),
    module: text(64).primary(),
    enabled: flag(),
    updated_at: when(),
  });
  await m.createTable(
    'record_change',
    {
      change_id: id(),
      type: text(64),
      record_id: int(),
      kind: text(40),
      company_number: int().nullable(),
      internal: flag().default(false),
      author_type: text(40),
      author_id: int().nullable(),
      indexed: flag().default(true),
      created_at: when(),
    },
    [['indexed', 'created_at']],
  );
  await m.createTable(
    'mail',
    {
      mail_id: key(40).primary(),
      template: key(64),
      recipient_name: text(255),
      recipient_address: text(254),
      data: text().nullable(),
      attachment_id: key(40).nullable(),
      headers: json(z.unknown()).nullable(),
      state: text(40).default('waiting'),
      error: text(500).nullable(),
      created_at: when(),
      sent_at: when().nullable(),
    },
    [
      ['state', 'created_at', 'mail_id'],
      ['created_at', 'mail_id'],
    ],
  );
  await m.createTable(
    'mail_attachment',
    {
      attachment_id: key(40).primary(),
      name: text(255),
      type: text(100),
      content: text(),
      created_at: when(),
    },
    [['created_at']],
  );
  await m.createTable('email_template', {
    template_id: id(),
    key: key(64).unique(),
    subject: text(255).nullable(),
    body: text().nullable(),
    active: flag().default(true),
    updated_at: when(),
  });
  await m.createTable(
    'attachment',
    {
      attachment_id: id(),
      record_type: key(64),
      record_id: int(),
      part_id: int().nullable(),
      company_number: int().default(0),
      filename: text(255),
      content_type: text(127),
      size: big(),
      sha256: key(64),
      stored_as: key(64).unique(),
      author_type: text(40),
      author_id: int().nullable(),
      author_name: text(255),
      created_at: when(),
    },
    [
      ['record_type', 'record_id', 'attachment_id'],
      ['author_type', 'author_id', 'size'],
    ],
  );
  await m.createTable('attachment_use', {
    company_number: int().primary(),
    files: int(),
    bytes: big(),
  });
  await m.createTable('search_text', {
    type: key(64).primary(),
    record_id: int().primary(),
    name: text(),
    main: text(),
    more: text(),
    facets: key().default(''),
  });
  await m.createTable('search_word', {
    type: key(64).primary(),
    word: key(64).primary(),
    block: int().primary(),
    held: int(),
    ids: key(684),
  });
  await m.createTable('search_ending', {
    type: key(64).primary(),
    ending: key(64).primary(),
    word: key(64).primary(),
  });
  await m.createTable('search_lease', {
    name: key(40).primary(),
    holder: key(64),
    until: when(),
  });
  await m.createTable('search_progress', {
    type: key(64).primary(),
    position: int(),
  });
});
