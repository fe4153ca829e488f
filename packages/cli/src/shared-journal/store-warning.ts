import type { StoreWarning } from '@orgchat/fleet/redis';

/** The installed `@orgchat/fleet` may be older than this command, and then gives no reasons. */
type ReceivedWarning = Omit<StoreWarning, 'reasons'> & Partial<Pick<StoreWarning, 'reasons'>>;

/** Words a warning about the journal `name` for people who use this command and not the library. */
export function formatStoreWarning({ code, message, reasons }: ReceivedWarning, name: string): string {
  const why = reasons === undefined ? '' : `: ${reasons.join('; ')}`;
  switch (code) {
    case 'NOT_DURABLE':
      return `The journal ${name} may lose entries${why}. A change whose entry is lost is not resumed, and may be applied twice if it has no intent. If the journal must survive, use Postgres: --journal postgres://USER@HOST/DATABASE`;
    case 'NOT_CHECKED':
      return `The journal ${name} could not be checked${why}. Its maxmemory-policy must be noeviction.`;
    default:
      return message;
  }
}
