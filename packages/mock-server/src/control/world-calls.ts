import { filterByOrganization } from '../control-input/find-organization.ts';
import { parseControl } from '../control-input/parse-control.ts';
import { armFault } from '../faults/arm.ts';
import type {
  EditInput,
  InOrganization,
  KeyPatch,
  LimitsPatch,
  OrganizationPatch,
  RecordsQuery,
} from '../generated/public-types.ts';
import { createInjector } from '../inject/injector.ts';
import type { Limits, Mock } from '../mock-interface.ts';
import { toHar } from '../request-log/har.ts';
import { getRequest, listRequests } from '../request-log/read-log.ts';
import { verify } from '../request-log/verify.ts';
import type { World } from '../world/world.ts';
import { moveClock, readClock } from './clock.ts';
import { editRecord } from './edit.ts';
import { limitsPatch } from './input.ts';
import { findWriteKey, listKeywords, listOperations } from './inspect.ts';
import { setLimits } from './limits.ts';
import { type ListedKey, listKeys, listOrganizations, type OrganizationEntry } from './organizations.ts';
import { patchKey, patchOrganization } from './patch.ts';
import { listRecords, type RecordsPage } from './records.ts';

/** The calls of `Mock` that need nothing but its current world. */
export abstract class WorldCalls {
  abstract readonly world: World;
  abstract readonly baseUrl: string;

  get keys(): string[] {
    return Array.from(this.world.keys.values(), ({ key }) => key);
  }

  get writeKey(): string | undefined {
    return findWriteKey(this.world);
  }

  organizations(): OrganizationEntry[] {
    return listOrganizations(this.world);
  }

  patchOrganization(
    patch: OrganizationPatch,
    options: InOrganization = {},
  ): ReturnType<typeof patchOrganization> {
    return patchOrganization(this.world, patch, options);
  }

  listKeys(options: InOrganization = {}): ListedKey[] {
    return listKeys(this.world, options);
  }

  patchKey(key: string, patch: KeyPatch): ReturnType<typeof patchKey> {
    return patchKey(this.world, key, patch);
  }

  readonly faults: Mock['faults'] = {
    arm: (fault) => armFault(this.world, fault),
    list: () => this.world.faults.list(),
    disarm: (id) => this.world.faults.disarm(id),
  };

  readonly requests: Mock['requests'] = {
    list: (page = {}) => listRequests(this.world.requestLog, page),
    get: (id) => getRequest(this.world.requestLog, id),
    har: () => toHar(this.world.requestLog.list(), this.baseUrl),
    dropped: () => this.world.requestLog.dropped,
    clear: () => this.world.requestLog.clear(),
    verify: (expected) => verify(this.world.requestLog, expected),
  };

  readonly clock: Mock['clock'] = {
    read: () => readClock(this.world),
    move: (move) => moveClock(this.world, move),
    advance: (milliseconds) => void moveClock(this.world, { advanceMs: milliseconds }),
  };

  readonly inject = createInjector(() => this.world);

  records(query: RecordsQuery): RecordsPage {
    return listRecords(this.world, query);
  }

  operations(options: InOrganization = {}): unknown[] {
    return listOperations(this.world, options);
  }

  audit(options: InOrganization = {}): ReturnType<Mock['audit']> {
    return filterByOrganization(this.world, this.world.audit.values(), options);
  }

  notifications(options: InOrganization = {}): ReturnType<Mock['notifications']> {
    return filterByOrganization(this.world, this.world.notifications.values(), options);
  }

  keywords(siteId: string, options: InOrganization = {}): ReturnType<Mock['keywords']> {
    return listKeywords(this.world, siteId, options);
  }

  edit(input: EditInput, options: InOrganization = {}): unknown {
    return editRecord(this.world, input, options);
  }

  patchLimits(patch: LimitsPatch): Limits {
    return setLimits(this.world, parseControl(limitsPatch(), patch));
  }
}
