// Plain JavaScript, so that an old Node can read it and say what is wrong.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 15)) {
  console.error(
    `Keelson needs Node.js 24.15 or newer, and found ${process.version}. Run "npm ci", then "npm start", which uses the copy in node_modules.`,
  );
  process.exit(1);
}
// As many password hashes as there are cores may run at once, and must not keep file reads and look-ups waiting.
const { availableParallelism } = await import('node:os');
process.env.UV_THREADPOOL_SIZE ??= String(availableParallelism() + 4);
const { enableCompileCache } = await import('node:module');
enableCompileCache();
// A worker thread (PDF) shares compiled WebAssembly with us, of which V8 may free a piece twice: see ava.config.js.
const { setFlagsFromString } = await import('node:v8');
setFlagsFromString('--no-wasm-code-gc');
const { main } = await import('./core/process/main.ts');
const only = process.argv.find((each) => each.startsWith('--only='))?.slice(7);
await main(only === 'web' || only === 'jobs' ? { only } : {});
