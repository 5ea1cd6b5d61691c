import { setting, z } from '@keelson/core';

const Account = z.object({
  client_email: z.string(),
  /** Sealed by the vault. */
  private_key: z.string(),
  token_url: z.string(),
  api_url: z.string(),
});

/** The service account that reports are written to spreadsheets with; without an address there is none. */
export const GoogleAccount = setting('reports.google', Account, {
  client_email: '',
  private_key: '',
  token_url: '',
  api_url: '',
});
