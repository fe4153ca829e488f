import { join } from 'node:path';
import type { Job, Load } from '../workers/load.ts';
import { Child } from './child-process.ts';
import { built } from './paths.ts';
import { headers, type Request } from './requests.ts';

const connections = 20;

/** A load generator in its own process. */
export class LoadProcess {
  readonly #child = new Child([join(built, 'workers/load.js')]);

  on(baseUrl: string, { path, body }: Request, seconds: number): Promise<Load> {
    const job: Job = { url: baseUrl + path, headers, body, connections, seconds };
    return this.#child.ask('run', job);
  }

  stop(): Promise<void> {
    return this.#child.stop();
  }
}
