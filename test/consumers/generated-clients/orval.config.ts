import { defineConfig } from 'orval';

export default defineConfig({
  control: {
    input: '../../../spec/control.openapi.yaml',
    output: {
      target: 'generated/orval-control/api.ts',
      client: 'fetch',
      override: { mutator: { path: './orval-fetch.ts', name: 'orvalFetch' } },
    },
  },
  client: {
    input: '../../../spec/openapi.yaml',
    output: {
      target: 'generated/orval/api.ts',
      client: 'fetch',
      override: { mutator: { path: './orval-fetch.ts', name: 'orvalFetch' } },
    },
  },
});
