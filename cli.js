// Plain JavaScript, so that an old Node can parse it and report the problem.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 15)) {
  console.error(
    `Keelson needs Node.js 24.15 or newer, and found ${process.version}. Run "npm ci", then "npm run cli", which uses the copy in node_modules.`,
  );
  process.exit(1);
}
const { enableCompileCache } = await import('node:module');
enableCompileCache();
await import('./core/plugin/load/resolve-imports.ts');
// A worker thread (PDF) shares compiled WebAssembly with the main thread, and V8 may free a piece of it twice: see
// ava.config.js.
const { setFlagsFromString } = await import('node:v8');
setFlagsFromString('--no-wasm-code-gc');
const { runCli } = await import('./core/process/command/cli.ts');
await runCli(process.argv.slice(2));
