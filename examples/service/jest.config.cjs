/* TypeScript for Jest, transpiled to CommonJS. The SDK and the mock server have a build for it. */
module.exports = {
  rootDir: __dirname,
  testMatch: ['<rootDir>/*.jest.ts'],
  transform: {
    '\\.ts$': ['ts-jest', { tsconfig: { module: 'commonjs', target: 'es2022', isolatedModules: true } }],
  },
};
