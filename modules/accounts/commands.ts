import { createTechnician, newHash, Technician } from '@keelson/modules/directory';
import { input, invalid, IsNull, normalised, secret, z, type App } from '@keelson/core';
import { command } from '@keelson/core/plugin';
import { createApiKey } from './keys/keys.ts';
import { keyTypes } from './entities.ts';
import { removeFactor } from './factors/second-factor.ts';
import { setTechnicianPassword } from './passwords/password.ts';

const Staff = z.object({
  name: input.text(255),
  email: input.email(),
  role: input.choice(['administrator', 'technician']).default('technician'),
  password: input.secret().optional(),
});

const Key = z.object({
  name: input.text(255),
  type: input.choice(keyTypes).default('admin'),
  permissions: z.string().default(''),
});

export default [
  command(
    'staff add',
    'Adds a technician, or gives one who is there a new password: npm run staff -- add "Ada Byron" --email ada@example.com',
    [
      { flags: '--email <address>', meaning: 'the e-mail address to sign in with', required: true },
      { flags: '--name <name>', meaning: 'the name, when it is not given first' },
      { flags: '--role <role>', meaning: 'administrator or technician (default)' },
      { flags: '--password <password>', meaning: 'the password; a random one is printed without it' },
    ],
    async ({ open, print }, options) => {
      const staff = given(Staff, options);
      const password = staff.password ?? secret(15);
      await addStaff(await open(), { ...staff, password });
      print(`${staff.email} can sign in${staff.password ? '' : ` with the password ${password}`}`);
    },
  ),
  command(
    'key create',
    'Creates an API key: npm run key -- create Monitoring --permissions tickets:read,assets:read',
    [
      { flags: '--name <name>', meaning: 'the name, when it is not given first' },
      { flags: '--type <type>', meaning: `one of ${keyTypes.join(', ')}; admin without it` },
      { flags: '--permissions <list>', meaning: 'what it may do, separated by commas' },
    ],
    async ({ open, print }, options) => {
      const { name, type, permissions } = given(Key, options);
      const app = await open();
      const wanted = permissions.split(',').map((each) => each.trim());
      const made = await app
        .system()
        .transaction((ctx) => createApiKey(ctx, { name, type, permissions: wanted.filter(Boolean) }));
      print(`${made.api_key} (shown only now)`);
    },
  ),
  command(
    'staff reset-mfa',
    'Takes a technician’s second factor away, when the phone and the recovery codes are lost',
    [{ flags: '--email <address>', meaning: 'whose second factor', required: true }],
    async ({ open, print }, options) => {
      const { data } = z.object({ email: input.email() }).safeParse(options);
      if (!data) throw invalid('--email must be an e-mail address');
      const app = await open();
      const removed = await app.system().transaction(async (ctx) => {
        const known = await ctx.db.findOneBy(Technician, { email_key: normalised(data.email), deleted_at: IsNull() });
        if (!known) throw invalid(`${data.email} is no technician`);
        return removeFactor(ctx, { kind: 'technician', id: known.user_id });
      });
      print(removed ? `${data.email} signs in with the password alone now` : `${data.email} had no second factor`);
    },
  ),
];

function given<S extends z.ZodType>(shape: S, options: unknown): z.output<S> {
  const { data, error } = shape.safeParse(options);
  if (error) throw invalid(error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; '));
  return data;
}

async function addStaff(app: App, staff: z.output<typeof Staff> & { password: string }): Promise<void> {
  const ctx = app.system();
  const { name, email, role, password } = staff;
  const known = await ctx.db.findOneBy(Technician, { email_key: normalised(email), deleted_at: IsNull() });
  if (known) return setTechnicianPassword(ctx, { user_id: known.user_id, password });
  const password_hash = await newHash(ctx, password, { email });
  await ctx.transaction((inside) => createTechnician(inside, { name, email, role, password_hash }));
}
