/*
 * Bundles a program with webpack. It has a process of its own, because webpack replaces functions of the process.
 * Arguments: the file of the program, its folder, and the folder of the bundle.
 */
import webpack from 'webpack';

const [entry = '', context = '', path = ''] = process.argv.slice(2);
const compiler = webpack({
  entry,
  context,
  mode: 'production',
  target: 'node20',
  experiments: { outputModule: true },
  // How the code is written has nothing to do with how many files there are.
  optimization: { minimize: false },
  output: { path, filename: 'program.mjs', module: true },
});
compiler.run((error, stats) => {
  if (error) throw error;
  if (stats?.hasErrors() || stats?.hasWarnings()) throw new Error(stats.toString());
});
