/* npx --no -- orgchat mock exec -- npx tsx examples/service/main.ts sync examples/service/data/catalog.json */
import { runService } from './service.ts';

process.exitCode = await runService(process.argv.slice(2));
