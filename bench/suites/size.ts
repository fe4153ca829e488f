import { bundledSize, mostSdkBytes } from '../../test/test-support/bundled-size.ts';
import { bench, root } from '../support/paths.ts';
import { rounds, type Turn } from '../support/rounds.ts';
import { against, figure, type Group, type Row, type Suite } from '../support/row.ts';
import { outputOf } from '../support/run-node.ts';

/** All exports of each package, with its dependencies. Ours includes openapi-fetch. */
const packages = {
  orgchat: { modules: ['@orgchat/sdk'], from: root },
  'orgchat with /node': { modules: ['@orgchat/sdk', '@orgchat/sdk/node'], from: root },
  'openapi-fetch': { modules: ['openapi-fetch'], from: bench },
  '@line/bot-sdk': { modules: ['@line/bot-sdk'], from: bench },
  '@octokit/core': { modules: ['@octokit/core'], from: bench },
  stripe: { modules: ['stripe'], from: bench },
  openai: { modules: ['openai'], from: bench },
} as const;
type Name = keyof typeof packages;
const others = (Object.keys(packages) as Name[]).filter((name) => !name.startsWith('orgchat'));

const kilobytes = async (name: Name): Promise<number> =>
  (await bundledSize(packages[name].modules, packages[name].from)) / 1000;

/** Milliseconds of an import in a new process. */
const importing =
  (name: Name): Turn =>
  async () => {
    const { modules, from } = packages[name];
    const imports = modules.map((module) => `await import('${module}');`).join('');
    const code = `const t=performance.now();${imports}console.log(performance.now()-t)`;
    return Number(await outputOf(['--input-type=module', '-e', code], from));
  };

const sizeGroup: Group = {
  title: 'The SDK: size',
  about: 'All of a package as one file, dependencies included, minified for Node (esbuild) and gzipped.',
};
const importGroup: Group = {
  title: 'The SDK: import',
  about: 'Duration of `await import()` in a new process, minus that of the other package.',
};

export const suite: Suite = {
  name: 'size',
  async run() {
    const size = { group: sizeGroup, what: 'everything', unit: 'kB' } as const;
    const ours = [await kilobytes('orgchat')];
    const rows: Row[] = [
      figure({
        ...size,
        ours,
        target: { atMost: mostSdkBytes / 1_000 },
        spentOn: 'openapi-fetch is 3 kB of it.',
      }),
    ];
    rows.push(figure({ ...size, what: 'with /node', ours: [await kilobytes('orgchat with /node')] }));
    for (const name of others) rows.push(against({ ...size, ours }, '×', name, [await kilobytes(name)]));

    const turns = Object.fromEntries(
      (['orgchat', ...others] as const).map((name) => [name, importing(name)]),
    );
    const times = await rounds(turns as Record<Name, Turn>, { rounds: 9 });
    for (const name of others) {
      const row = { group: importGroup, what: 'everything', unit: 'ms', ours: times.orgchat } as const;
      const target = name === 'openapi-fetch' ? { target: { atMost: 10 } } : {};
      rows.push(against({ ...row, ...target }, '−', name, times[name]));
    }
    return rows;
  },
};
