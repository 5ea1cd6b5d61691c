// Values that a module keeps in memory for each tenant, such as caches. Nothing is shared between tenants.
import type { App } from './app.ts';
import { memoize } from '../kit/memoize.ts';

/** A value made once per tenant, at its first use: `const verifier = perApp((app) => tokenVerifier(app.vault))`. */
export function perApp<Value>(make: (app: App) => Value): (app: App) => Value {
  return memoize(make);
}
