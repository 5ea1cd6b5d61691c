// Gives each test file of a group its own `ava` (see _group.ts).
import { registerHooks } from 'node:module';
import '../../core/plugin/load/resolve-imports.ts';

const PREFIX = 'grouped:';
const group = new URL('./_group.ts', import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL = '' } = context;
    if (specifier === 'ava' && parentURL.endsWith('.test.ts') && !parentURL.includes('/test/all/')) {
      return { url: PREFIX + parentURL, shortCircuit: true, format: 'module' };
    }
    return next(specifier, parentURL.startsWith(PREFIX) ? { ...context, parentURL: group } : context);
  },
  load(url, context, next) {
    if (!url.startsWith(PREFIX)) return next(url, context);
    const source = `import { testOf } from ${JSON.stringify(group)};
      export default testOf(${JSON.stringify(url.slice(PREFIX.length))});`;
    return { format: 'module', shortCircuit: true, source };
  },
});
