/*
 * A whole service: a webhook, a nightly sync and a keyword import that lose nothing if they are killed. To try it:
 *   npx --no -- orgchat mock exec -- npx tsx examples/service/main.ts sync examples/service/data/catalog.json
 */
import { runService } from './service.ts';

process.exitCode = await runService(process.argv.slice(2));
