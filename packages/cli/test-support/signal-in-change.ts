import { type Harness, type Result, until } from './harness.ts';

/**
 * Runs a command that sends a change, whose answer is held until the command has noticed each of the signals. The harness
 * needs `holdsAnswers`.
 */
export async function signalInChange(
  cli: Harness,
  args: readonly string[],
  ...signals: readonly NodeJS.Signals[]
): Promise<Result> {
  const letGo = cli.hold('changeChat');
  const count = async (): Promise<number> => (await cli.received('changeChat')).length;
  const before = await count();
  const notes = [...new Set(signals)].map((name) => `process.on('${name}', () => console.error('noticed'));`);
  const load = `--import data:text/javascript,${encodeURIComponent(notes.join(''))}`;
  const env = { NODE_OPTIONS: [cli.env.NODE_OPTIONS, load].filter(Boolean).join(' ') };
  const { child, result } = cli.begin(args, { env });
  let said = '';
  child.stderr?.on('data', (text: string) => {
    said += text;
  });
  await until(async () => (await count()) > before);
  for (const [n, signal] of signals.entries()) {
    child.kill(signal);
    await until(async () => said.split('noticed\n').length > n + 1);
  }
  letGo();
  return result;
}
