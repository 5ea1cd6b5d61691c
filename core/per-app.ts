// What a module keeps in memory for one tenant: caches, compiled things. Nothing is shared between tenants.
import type { App } from './app.ts';

/** A value made once per tenant, at first use: `const verifier = perApp((app) => tokenVerifier(app.vault))`. */
export function perApp<Value>(make: (app: App) => Value): (app: App) => Value {
  const made = new WeakMap<App, Value>();
  return (app) => {
    const known = made.get(app);
    if (known !== undefined) return known;
    const value = make(app);
    made.set(app, value);
    return value;
  };
}
