// The command line: `node cli.js <command>`. Every command ends with exit code 0, or 1 and one sentence.
import { Command as Commander } from 'commander';
import { loadConfig } from '../config/config.ts';
import type { App } from './app.ts';
import type { Command, Shell } from './command.ts';
import { coreCommands } from './commands.ts';
import { loadInstallation } from './load.ts';
import { openInstallation, start } from './main.ts';

/** Runs the command that the arguments name. */
export async function runCli(args: readonly string[]): Promise<void> {
  const program = new Commander('keelson').description('Service management for managed-service providers');
  const opened: App[] = [];
  try {
    const config = loadConfig();
    const { loaded } = await loadInstallation(config.pluginsDir);
    const shell: Shell = {
      config,
      start,
      print: (line) => process.stdout.write(`${line}\n`),
      async open({ config: other = config, ...options } = {}) {
        const app = await openInstallation(other, options);
        opened.push(app);
        return app;
      },
    };
    const commands = [...coreCommands, ...loaded.flatMap(({ plugin }) => plugin.commands ?? [])];
    for (const each of commands) add(program, each, shell);
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  } finally {
    for (const app of opened) await app.close();
  }
}

function add(program: Commander, { name, title, options, run }: Command, shell: Shell): void {
  const words = name.split(' ');
  const parent = words.length === 1 ? program : groupOf(program, words[0] ?? '');
  const made = parent.command(words.at(-1) ?? name).description(title);
  for (const { flags, meaning, required } of options) {
    if (required) made.requiredOption(flags, meaning);
    else made.option(flags, meaning);
  }
  made.argument('[names...]');
  made.action((names: string[], given: Record<string, string | boolean | undefined>) =>
    run(shell, { ...given, name: names[0] ?? given['name'] }),
  );
}

function groupOf(program: Commander, word: string): Commander {
  return program.commands.find((each) => each.name() === word) ?? program.command(word);
}

// `node core/cli.ts …` works as well as `node cli.js …`, which also tells an old Node what is wrong.
if (import.meta.main) await runCli(process.argv.slice(2));
