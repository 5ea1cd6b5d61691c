import { Technician } from '@keelson/modules/directory';
import { command, input, invalid, normalised, z } from '@keelson/core';
import { removeFactor } from './second-factor.ts';

export default command(
  'staff reset-mfa',
  'Takes a technician’s second factor away, when the phone and the recovery codes are lost',
  [{ flags: '--email <address>', meaning: 'whose second factor', required: true }],
  async ({ open, print }, options) => {
    const { data } = z.object({ email: input.email() }).safeParse(options);
    if (!data) throw invalid('--email must be an e-mail address');
    const app = await open();
    const removed = await app.system().transaction(async (ctx) => {
      const known = await ctx.db.one(Technician, { email_key: normalised(data.email), deleted_at: null });
      if (!known) throw invalid(`${data.email} is no technician`);
      return removeFactor(ctx, { kind: 'technician', id: known.user_id });
    });
    print(removed ? `${data.email} signs in with the password alone now` : `${data.email} had no second factor`);
  },
);
