// `cli mcp`: the Model Context Protocol server of @keelson/mcp, for this or another installation.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { serveOnHttp, serveOnStdio } from '@keelson/mcp';
import type { CommandInput, Shell } from '../../plugin/declaration/command.ts';
import { onSignals } from '../signals.ts';
import { version } from '../version.ts';

/**
 * Serves until the assistant disconnects or a signal arrives.
 * @throws Error in one sentence if the options are invalid
 */
export async function serveMcp({ config, print }: Shell, input: CommandInput): Promise<void> {
  const url = String(input['url'] ?? config.baseUrl);
  if (!URL.canParse(url)) throw new Error('--url must be an address such as https://desk.example.com');
  const listen = input['listen'];
  const keyFile = input['keyFile'];
  if (typeof listen === 'string') {
    const port = Number(listen);
    if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error('--listen must be a port, 0 to 65535');
    const server = await serveOnHttp({ url, version, host: config.host, port });
    const address = server.address();
    print(`MCP is served at http://${config.host}:${typeof address === 'object' ? address?.port : port}/mcp`);
    onSignals(async () => void server.close());
    await once(server, 'close');
    return;
  }
  if (typeof keyFile !== 'string') throw new Error('Specify --key-file, or --listen with a port');
  const credential = readFileSync(keyFile, 'utf8').trim();
  const { close } = serveOnStdio({ url, version, credential });
  onSignals(close);
  await once(process.stdin, 'end');
  await close();
}
