// Implements the commands declared in commands.ts.
import { input, invalid, IsNull, normalised, secret, z, type App } from '@keelson/core';
import type { CommandInput, Shell } from '@keelson/core/command';
import { createTechnician, newHash, Technician } from '@keelson/modules/directory';
import { keyTypes } from './entities.ts';
import { removeFactor } from './factors/second-factor.ts';
import { createApiKey } from './keys/keys.ts';
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

export async function runStaffAdd({ open, print }: Shell, options: CommandInput): Promise<void> {
  const staff = given(Staff, options);
  const password = staff.password ?? secret(15);
  await addStaff(await open(), { ...staff, password });
  print(`${staff.email} can sign in${staff.password ? '' : ` with the password ${password}`}`);
}

export async function runKeyCreate({ open, print }: Shell, options: CommandInput): Promise<void> {
  const { name, type, permissions } = given(Key, options);
  const app = await open();
  const wanted = permissions.split(',').map((each) => each.trim());
  const made = await app
    .system()
    .transaction((ctx) => createApiKey(ctx, { name, type, permissions: wanted.filter(Boolean) }));
  print(`${made.api_key} (shown only once)`);
}

export async function runResetMfa({ open, print }: Shell, options: CommandInput): Promise<void> {
  const { data } = z.object({ email: input.email() }).safeParse(options);
  if (!data) throw invalid('--email must be an email address');
  const app = await open();
  const removed = await app.system().transaction(async (ctx) => {
    const known = await ctx.db.findOneBy(Technician, { email_key: normalised(data.email), deleted_at: IsNull() });
    if (!known) throw invalid(`No technician has the email ${data.email}`);
    return removeFactor(ctx, { kind: 'technician', id: known.user_id });
  });
  print(
    removed ? `Two-factor authentication removed for ${data.email}` : `${data.email} has no two-factor authentication`,
  );
}

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
