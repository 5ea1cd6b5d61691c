// Creates people who can sign in, once. Runs in its own process: node bench/people.ts <n> <password>
import { loadConfig } from '../config/config.ts';
import { openInstallation } from '../core/process/main.ts';
import { createCompany, createEmployee, Employee } from '../modules/directory/api.ts';
import { hashPassword } from '../packages/security/password.ts';

const [n = '0', password = ''] = process.argv.slice(2);
const app = await openInstallation(loadConfig());
const password_hash = await hashPassword(password, app.config.passwordCost);
const known = await app.database.findOneBy(Employee, { email_key: 'bench-0@example.com' });
await app.system().transaction(async (ctx) => {
  if (known) return;
  const { company_number } = await createCompany(ctx, { customer: 'Bench' });
  for (let i = 0; i < Number(n); i++) {
    const email = `bench-${i}@example.com`;
    await createEmployee(ctx, { company_number, first_name: 'Bench', last_name: String(i), email, password_hash });
  }
});
await app.close();
