import type { ConfigurationResource } from '@orgchat/spec';
import { readText } from '../../input.ts';
import { isUuid } from '../../parsers.ts';
import type { Data } from '../../resources/collect-data.ts';
import { type Document, isMap, LineCounter, parseDocument, visit } from '../../yaml.ts';
import { creationOrder } from '../order.ts';
import { planFormat } from '../plan/document.ts';
import { invalidFile, type Problem } from './problems.ts';
import { labelOfData, readData } from './shape.ts';

/** A record as the file has it: its references are names, or ids. */
export interface Wanted {
  readonly resource: ConfigurationResource;
  readonly id: string | undefined;
  readonly label: string;
  readonly data: Data;
  /** Where it stands in the file. */
  readonly line: number;
}

export interface ConfigFile {
  readonly name: string;
  readonly text: string;
  /** The resources the file speaks of; of the others it wants nothing. */
  readonly resources: readonly ConfigurationResource[];
  readonly records: readonly Wanted[];
}

export const configVersion = 1;

/** A name for an account may well be used in every record; what multiplies itself without end is cut off. */
export const maxAliasCount = 100_000;

class Reader {
  readonly problems: Problem[] = [];
  readonly records: Wanted[] = [];
  readonly resources: ConfigurationResource[] = [];

  constructor(
    private readonly document: Document,
    private readonly lines: LineCounter,
  ) {}

  read(): void {
    const content = this.content();
    if (this.problems.length > 0) return;
    if (!isMap(this.document.contents)) {
      this.problem([], 'It must hold resources: tags, templates and so on');
      return;
    }
    if ((content as Data).format === planFormat) {
      this.problem([], 'It is a plan, and no configuration; apply it: orgchat config apply PLAN');
      return;
    }
    for (const [key, value] of Object.entries(content as Data)) {
      const resource = creationOrder.find((known) => known === key);
      if (resource !== undefined) this.list(resource, value);
      else if (key !== 'version')
        this.problem([key], `"${key}" is no resource; there are ${creationOrder.join(', ')}`);
      else if (value !== configVersion)
        this.problem([key], `version ${String(value)} is not known; this is ${configVersion}`);
    }
  }

  /** The document as plain values; aliases of nothing, or of what they stand in, are problems. */
  private content(): unknown {
    const anchors = new Set<string>();
    visit(this.document, {
      Node: (_key, { anchor }) => {
        if (anchor !== undefined) anchors.add(anchor);
      },
      Alias: (_key, node) => {
        if (anchors.has(node.source)) return;
        this.problems.push({
          line: this.lines.linePos(node.range?.[0] ?? 0).line,
          message: `*${node.source} stands for nothing: there is no &${node.source} before it`,
        });
      },
    });
    if (this.problems.length > 0) return undefined;
    try {
      const content: unknown = this.document.toJS({ maxAliasCount });
      JSON.stringify(content);
      return content;
    } catch {
      this.problem([], 'It has an alias that stands for what it stands in, or too many aliases');
      return undefined;
    }
  }

  private list(resource: ConfigurationResource, value: unknown): void {
    this.resources.push(resource);
    // An empty list is often written as nothing.
    if (value === null) return;
    if (!Array.isArray(value)) {
      this.problem([resource], `${resource} must be a list`);
      return;
    }
    for (const [index, item] of value.entries()) this.record(resource, item, index);
  }

  private record(resource: ConfigurationResource, item: unknown, index: number): void {
    const path = [resource, index];
    if (typeof item !== 'object' || item === null || Array.isArray(item)) {
      this.problem(path, `${resource}[${index}] must be a record`);
      return;
    }
    const { id, ...fields } = item as Data;
    if (id !== undefined && !(typeof id === 'string' && isUuid(id))) {
      this.problem(path, `${resource}[${index}].id must be a UUID, or be left out`);
      return;
    }
    const read = readData(resource, fields);
    const named = labelOfData(resource, fields);
    const name = named === '' ? `${resource}[${index}]` : `${resource} "${named}"`;
    if ('problems' in read) {
      for (const problem of read.problems) this.problem(path, `${name}: ${problem}`);
      return;
    }
    const label = labelOfData(resource, read.data);
    this.records.push({ resource, id: id?.toLowerCase(), label, data: read.data, line: this.line(path) });
  }

  private line(path: readonly (string | number)[]): number {
    const node = path.length === 0 ? this.document.contents : this.document.getIn(path, true);
    const range = (node as { range?: readonly number[] | null } | undefined)?.range;
    return range?.[0] === undefined ? 1 : this.lines.linePos(range[0]).line;
  }

  private problem(path: readonly (string | number)[], message: string): void {
    this.problems.push({ line: this.line(path), message });
  }
}

/** The YAML (or JSON, which is YAML) of a configuration. */
export function parseConfig(name: string, text: string): { file: ConfigFile; problems: readonly Problem[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const reader = new Reader(document, lines);
  if (document.errors.length === 0) reader.read();
  const syntax = document.errors.map(({ message, pos }) => ({ line: lines.linePos(pos[0]).line, message }));
  const { resources, records } = reader;
  return {
    file: { name, text, resources, records },
    problems: [...syntax, ...reader.problems, ...twins(records)],
  };
}

/** Two records of one label cannot be told apart where the organization does not know their ids. */
function twins(records: readonly Wanted[]): Problem[] {
  const seen = new Map<string, Wanted>();
  return records.flatMap((record): Problem[] => {
    const { resource, id, label, line } = record;
    const byId = id === undefined ? undefined : `${resource} ${id}`;
    if (byId !== undefined && seen.has(byId))
      return [{ line, message: `${resource}: the id ${id} stands here twice` }];
    if (byId !== undefined) seen.set(byId, record);
    const name = `${resource} "${label}"`;
    const other = seen.get(name);
    seen.set(name, record);
    if (other === undefined || (other.id !== undefined && id !== undefined)) return [];
    return [
      {
        line,
        message: `${name} stands here twice (first on line ${other.line}); give each its id, or another name`,
      },
    ];
  });
}

/** A configuration that holds to the contract, or a failure that says where it does not. */
export function configOf(name: string, text: string): ConfigFile {
  const { file, problems } = parseConfig(name, text);
  if (problems.length > 0) throw invalidFile(name, problems);
  return file;
}

export const readConfig = async (name: string): Promise<ConfigFile> => configOf(name, await readText(name));
