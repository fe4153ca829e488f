/* The service as it is, except that it waits less before it tries again, and is not held to 60 requests per minute. */
import { runService } from '../service.ts';

process.exitCode = await runService(process.argv.slice(2), {
  pacing: false,
  retry: { baseDelayMs: 1, maxDelayMs: 4 },
});
