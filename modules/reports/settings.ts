import { setting, z } from '@keelson/core';

const Account = z.object({
  client_email: z.string(),
  /** Sealed by the vault. */
  private_key: z.string(),
  token_url: z.string(),
  api_url: z.string(),
});

/** Service account for spreadsheet exports; without a mail address, none is configured. */
export const GoogleAccount = setting('reports.google', Account, {
  client_email: '',
  private_key: '',
  token_url: '',
  api_url: '',
});
