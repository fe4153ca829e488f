import { defineConfig } from 'orval';

export default defineConfig({
  client: {
    input: '../../spec/openapi.yaml',
    output: {
      target: 'generated/orval/api.ts',
      client: 'fetch',
      override: { mutator: { path: './orval-fetch.ts', name: 'orvalFetch' } },
    },
  },
});
