/* workerd: a worker that answers with the facts. There are no files, so there is no file journal. */
import * as sdk from '@orgchat/sdk';
import { collectFacts } from './facts.mjs';

export default {
  async fetch(request) {
    try {
      return Response.json(await collectFacts(sdk, await request.json()));
    } catch (error) {
      return new Response(`${error?.stack ?? error}`, { status: 500 });
    }
  },
};
