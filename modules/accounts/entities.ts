import { Employee, Technician } from '@keelson/modules/directory';
import { choice, flag, id, int, json, key, ref, table, text, when, z } from '@keelson/core';

// Of session ids, tokens, keys and links only hashes are stored: the database alone lets nobody in.

/** A sign-in of an employee: a browser's cookie and a family of tokens, which end together. */
export const EmployeeSession = table(
  'employee_session',
  {
    session_id: id(),
    employee_number: ref(Employee),
    /** Of the cookie; null when only the tokens are still in use. */
    token_hash: key(64).nullable().unique().hidden(),
    /** The employee's at the last sign-in or password change: the session ends when the employee's rises. */
    access_version: int().hidden(),
    /** The address of the sign-in, by which its owner recognises it. */
    ip_address: text(45).default(''),
    created_at: when(),
    last_used_at: when(),
    /** The end of the tokens; the cookie ends earlier (session-life.ts). */
    expires_at: when(),
    revoked_at: when().nullable(),
  },
  [['employee_number', 'revoked_at'], ['expires_at']],
);

export const refreshStates = ['live', 'pending', 'retired', 'revoked'] as const;

/** Refresh tokens; all of one session are a family. */
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
    /** When, and by the first use of which token, this one was retired. */
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
    /** The address of the sign-in, by which its owner recognises it. */
    ip_address: text(45).default(''),
    /** When its owner proved again who they are, before the first secret was told. */
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
    /** The first characters, for people to recognise it by. */
    prefix: text(16),
    permissions: json(z.array(z.string())),
    rate_limit_per_minute: int(),
    /** Websites a public key may be used on; empty means all. */
    allowed_origins: json(z.array(z.string())),
    /** Addresses and ranges it may be used from; empty means everywhere. */
    allowed_addresses: json(z.array(z.string())),
    /** Whether it may ask for stored credentials (SF-14). */
    allow_reveal: flag().default(false),
    expires_at: when().nullable(),
    /** When administrators were told by mail that it expires. */
    warned_at: when().nullable().hidden(),
    last_used_at: when().nullable(),
    /** Whose rights it never exceeds (SF-13): a technician, another key, or (both null) nobody: made on the command line. */
    granted_by_user_id: ref(Technician).nullable().hidden(),
    granted_by_key_id: int().nullable().hidden(),
    created_at: when(),
    revoked_at: when().nullable().hidden(),
    /** It revoked itself: the keys it created live on as its successors (ST-04). */
    retired: flag().default(false).hidden(),
  },
  [['revoked_at', 'created_at'], ['revoked_at', 'expires_at'], ['retired']],
);

export const linkPurposes = ['invitation', 'reset'] as const;

/** Links in mails for setting a password, by invitation or reset. Each works once and for a limited time. */
export const AccountLink = table(
  'account_link',
  {
    link_id: id(),
    purpose: choice(...linkPurposes),
    user_id: ref(Technician).nullable(),
    employee_number: ref(Employee).nullable(),
    token_hash: key(64).unique().hidden(),
    /** The normalised address it was sent to. When the person's address changes it is void: the mailbox may be another's. */
    email_key: key(254).hidden(),
    /** The person's when it was created: whatever ends their sessions voids the link too. */
    access_version: int().hidden(),
    created_at: when(),
    expires_at: when(),
    /** Used, or replaced by a newer one. */
    used_at: when().nullable(),
  },
  [['user_id', 'created_at'], ['employee_number', 'created_at'], ['expires_at']],
);

/** The link by which a new installation gets its first administrator. */
export const SetUpLink = table('set_up_link', {
  link_id: id(),
  token_hash: key(64).unique().hidden(),
  created_at: when(),
});

/** Who a person is for an identity provider: issuer and subject, never the address alone. One per issuer. */
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

/** Finished sign-ins with a provider: each can be finished once, whichever process it reaches. */
export const UsedState = table(
  'used_state',
  {
    state_hash: key(64).primary(),
    used_at: when(),
  },
  [['used_at']],
);

/** An authenticator app of an employee or a technician (SF-31); pending until its first code was given. */
export const SecondFactor = table('second_factor', {
  factor_id: id(),
  employee_number: ref(Employee).nullable().unique(),
  user_id: ref(Technician).nullable().unique(),
  /** Sealed for this person. */
  sealed_key: text().hidden(),
  /** The time step of the last accepted code: neither it nor earlier ones are accepted again. */
  used_step: int().nullable().hidden(),
  created_at: when(),
  enabled_at: when().nullable(),
});

/** Replace the app when it is lost; each works once. */
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
  TechnicianSession,
  UsedState,
];
