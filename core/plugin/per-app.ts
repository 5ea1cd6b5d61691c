// Per-tenant values that a module keeps in memory, such as caches. Tenants share nothing.
import { memoize } from '@keelson/kit/memoize.ts';
import type { App } from './app.ts';

/** Creates a value once per tenant, on first use: `const verifier = perApp((app) => tokenVerifier(app.vault))`. */
export function perApp<Value>(make: (app: App) => Value): (app: App) => Value {
  return memoize(make);
}
