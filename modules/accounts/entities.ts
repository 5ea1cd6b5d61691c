import { choice, flag, id, int, json, key, ref, table, text, when, z } from '@keelson/core';
import { Employee, Technician } from '@keelson/modules/directory';

// Session ids, tokens, keys and links are stored only as hashes: a leaked database grants no access.

/** An employee's sign-in: a browser cookie and a family of tokens, which end together. */
export const EmployeeSession = table(
  'employee_session',
  {
    session_id: id(),
    employee_number: ref(Employee),
    /** Hash of the cookie; null when only the tokens are still in use. */
    token_hash: key(64).nullable().unique().hidden(),
    /** The employee's version at the last sign-in or password change. The session ends when the employee's rises. */
    access_version: int().hidden(),
    /** The address of the sign-in, so that the owner can recognise it. */
    ip_address: text(45).default(''),
    created_at: when(),
    last_used_at: when(),
    /** Expiry of the tokens; the cookie expires earlier (session-life.ts). */
    expires_at: when(),
    revoked_at: when().nullable(),
  },
  [['employee_number', 'revoked_at'], ['expires_at']],
);

export const refreshStates = ['live', 'pending', 'retired', 'revoked'] as const;

/** Refresh tokens. All tokens of a session form a family. */
export const RefreshToken = table(
  'refresh_token',
  {
    token_id: id(),
    session_id: ref(EmployeeSession),
    /** The token whose use issued this one. */
    parent_id: int().nullable(),
    token_hash: key(64).unique().hidden(),
    state: choice(...refreshStates),
    created_at: when(),
    used_at: when().nullable(),
    /** When this token was retired, and the successor whose first use retired it. */
    retired_at: when().nullable(),
    retired_by: int().nullable(),
  },
  [['session_id', 'state']],
);

export const TechnicianSession = table(
  'technician_session',
  {
    session_id: id(),
    user_id: ref(Technician),
    token_hash: key(64).unique().hidden(),
    access_version: int().hidden(),
    /** The address of the sign-in, so that the owner can recognise it. */
    ip_address: text(45).default(''),
    /** When the technician last re-authenticated; required before the first secret is revealed. */
    confirmed_at: when().nullable(),
    created_at: when(),
    last_used_at: when(),
    expires_at: when(),
  },
  [['user_id'], ['expires_at']],
);

export const keyTypes = ['admin', 'crm_secret', 'crm_public_live', 'crm_public_test'] as const;
export type KeyType = (typeof keyTypes)[number];

export const ApiKey = table(
  'api_key',
  {
    key_id: id(),
    type: choice(...keyTypes),
    name: text(255),
    key_hash: key(64).unique().hidden(),
    /** The first characters, for recognising the key. */
    prefix: text(16),
    permissions: json(z.array(z.string())),
    rate_limit_per_minute: int(),
    /** Websites that may use a public key; empty means all. */
    allowed_origins: json(z.array(z.string())),
    /** Addresses and ranges that may use the key; empty means any. */
    allowed_addresses: json(z.array(z.string())),
    /** Allows the key to reveal stored credentials (SF-14). */
    allow_reveal: flag().default(false),
    expires_at: when().nullable(),
    /** When administrators were mailed about the expiry. */
    warned_at: when().nullable().hidden(),
    last_used_at: when().nullable(),
    /**
     * The grantor, whose permissions the key never exceeds (SF-13): a technician or another key. Both are null for a
     * key created on the command line.
     */
    granted_by_user_id: ref(Technician).nullable().hidden(),
    granted_by_key_id: int().nullable().hidden(),
    created_at: when(),
    revoked_at: when().nullable().hidden(),
    /** The key revoked itself: the keys it created live on as its successors (ST-04). */
    retired: flag().default(false).hidden(),
  },
  [['revoked_at', 'created_at'], ['revoked_at', 'expires_at'], ['retired']],
);

export const linkPurposes = ['invitation', 'reset'] as const;

/** Mailed links for setting a password, by invitation or reset. Each works once and for a limited time. */
export const AccountLink = table(
  'account_link',
  {
    link_id: id(),
    purpose: choice(...linkPurposes),
    user_id: ref(Technician).nullable(),
    employee_number: ref(Employee).nullable(),
    token_hash: key(64).unique().hidden(),
    /**
     * The normalised address the link was sent to. A new address voids the link: the old mailbox may now belong to
     * someone else.
     */
    email_key: key(254).hidden(),
    /** The person's version when the link was created. Anything that ends their sessions voids the link too. */
    access_version: int().hidden(),
    created_at: when(),
    expires_at: when(),
    /** When the link was used, or replaced by a newer one. */
    used_at: when().nullable(),
  },
  [['user_id', 'created_at'], ['employee_number', 'created_at'], ['expires_at']],
);

/** The link that creates the first administrator of a new installation. */
export const SetUpLink = table('set_up_link', {
  link_id: id(),
  token_hash: key(64).unique().hidden(),
  created_at: when(),
});

/** A person's identity at a provider: issuer and subject, never the address alone. One per issuer. */
export const LinkedIdentity = table(
  'linked_identity',
  {
    identity_id: id(),
    employee_number: ref(Employee),
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

/** A technician's identity at a provider, likewise. */
export const TechnicianIdentity = table(
  'technician_identity',
  {
    identity_id: id(),
    user_id: ref(Technician),
    issuer: key(255),
    subject: key(255),
    created_at: when(),
    last_used_at: when(),
  },
  [],
  {
    unique: [
      ['issuer', 'subject'],
      ['user_id', 'issuer'],
    ],
  },
);

/** Completed provider sign-ins. Each state works once, across all processes. */
export const UsedState = table(
  'used_state',
  {
    state_hash: key(64).primary(),
    used_at: when(),
  },
  [['used_at']],
);

/** An authenticator app of an employee or a technician (SF-31). Pending until its first code is accepted. */
export const SecondFactor = table('second_factor', {
  factor_id: id(),
  employee_number: ref(Employee).nullable().unique(),
  user_id: ref(Technician).nullable().unique(),
  /** Sealed for this person. */
  sealed_key: text().hidden(),
  /** The time step of the last accepted code. This step and earlier ones are rejected. */
  used_step: int().nullable().hidden(),
  created_at: when(),
  enabled_at: when().nullable(),
});

/** Codes that replace a lost authenticator app. Each works once. */
export const RecoveryCode = table(
  'recovery_code',
  {
    code_id: id(),
    factor_id: ref(SecondFactor),
    code_hash: key(64).hidden(),
    used_at: when().nullable(),
  },
  [['factor_id', 'used_at']],
);

export default [
  AccountLink,
  ApiKey,
  EmployeeSession,
  LinkedIdentity,
  RecoveryCode,
  RefreshToken,
  SecondFactor,
  SetUpLink,
  TechnicianIdentity,
  TechnicianSession,
  UsedState,
];
