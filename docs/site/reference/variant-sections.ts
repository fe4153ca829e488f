import { type ApiDocument, type Endpoint, getDone, getName, type Schema } from './openapi.ts';
import { toMarkdown, toTable } from './page.ts';
import { toExample } from './samples.ts';
import {
  type Context,
  describeSchema,
  describeType,
  type Field,
  findSelector,
  isVarying,
  readVariants,
  toFieldTable,
  type Variant,
} from './schema-text.ts';

/* The request of an endpoint whose body has variants: a section for each group of variants with the same fields. */

/** Groups that are not named by their only value, by their first one. */
const names: Readonly<Record<string, { readonly title: string; readonly text?: string }>> = {
  tags: { title: 'Configuration records' },
  'create-tags': {
    title: 'Create a record',
    text: 'Creates a record. Each resource has an action to create a record and an action to update one. The `data` of both has the same fields.',
  },
  'update-tags': {
    title: 'Update a record',
    text: 'Replaces the whole data of a record. Set `action` to the update action of its resource, and `data` to [the data of that resource](#create-a-record).',
  },
  'delete-configuration': { title: 'Delete a record' },
  'update-friend': { title: 'Update a friend' },
  'set-friend-tags': { title: 'Set the tags of a friend' },
  'enroll-scenario': { title: 'Enroll a friend in a scenario' },
};

const unquote = (code: string): string => code.replaceAll('`', '');

const toWords = (value: string): string =>
  `${value.charAt(0).toUpperCase()}${value.slice(1)}`.replaceAll(/(?<!^auto)-/gi, ' ');

const toSlug = (title: string): string => title.toLowerCase().replaceAll(' ', '-');

const joinWords = (words: readonly string[], last: 'and' | 'or'): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;

const toKey = ({ path, schema }: Field): string => JSON.stringify([path, schema]);

interface Section {
  readonly title: string;
  readonly anchor: string;
  readonly group: readonly Variant[];
}

/** A part of a page: its text, and the examples that are beside it. */
export interface Part {
  readonly text: readonly string[];
  readonly samples: readonly string[];
}

export class VariantSections {
  private readonly sections: readonly Section[];
  private readonly shared: readonly Field[];
  /** The fields that several groups have. */
  private readonly common: readonly Field[];

  private constructor(
    private readonly context: Context,
    private readonly endpoint: Endpoint,
    private readonly page: string,
    private readonly selector: string,
    schema: Schema,
  ) {
    const { shared, groups } = readVariants(context.document, schema, selector);
    this.shared = shared;
    this.sections = groups.map((group) => {
      const value = unquote(group[0]!.value);
      const title = names[value]?.title ?? toWords(value);
      return { title, anchor: toSlug(title), group };
    });
    const first = groups.flatMap((group) => group[0]!.fields.filter((field) => !isVarying(field, group)));
    const isAgain = (field: Field): boolean =>
      first.filter((other) => toKey(other) === toKey(field)).length > 1;
    this.common = first.filter(
      (field, index) => isAgain(field) && first.findIndex((other) => toKey(other) === toKey(field)) === index,
    );
  }

  /** Undefined if no field of a schema selects the others. */
  static read(
    context: Context,
    endpoint: Endpoint,
    page: string,
    schema: Schema,
  ): VariantSections | undefined {
    const selector = findSelector(context.document, schema);
    return selector === undefined
      ? undefined
      : new VariantSections(context, endpoint, page, selector, schema);
  }

  get links(): string[] {
    return this.sections.map(({ title, anchor }) => `[${title}](#${anchor})`);
  }

  /** The field that selects a variant, with all its values, and the fields of several variants. */
  describeChoice(): string[] {
    const listValues = ({ anchor, group }: Section): string[] =>
      group.map(({ value }) => `[${value}](#${anchor})`);
    const choice: Field = {
      path: this.selector,
      schema: { type: 'string' },
      isRequired: true,
      description: `One of ${joinWords(this.sections.flatMap(listValues), 'or')}. It selects the other fields.`,
    };
    return [
      toFieldTable(this.context, [choice, ...this.shared]),
      ...(this.common.length === 0
        ? []
        : [
            '### Common fields {#common-fields}',
            `Several values of \`${this.selector}\` take these fields.`,
            // Whether it is required differs.
            toFieldTable(
              { ...this.context, marks: 'required' },
              this.common.map((field) => ({ ...field, isRequired: false })),
            ),
          ]),
    ];
  }

  /** The sections, but for the example that is shown at the top of the page. */
  describe(): Part[] {
    return this.sections.map((section) => ({
      text: this.describeSection(section),
      samples: this.listSamples(section),
    }));
  }

  private describeSection({ title, anchor, group }: Section): string[] {
    const [{ value, meaning, fields }] = group as [Variant, ...Variant[]];
    const varying = fields.filter((field) => isVarying(field, group));
    const isCommon = (field: Field): boolean => this.common.some((one) => toKey(one) === toKey(field));
    const own = fields.filter((field) => !varying.includes(field) && !isCommon(field));
    const { text } = names[unquote(value)] ?? {};
    const values = group.map((variant) => variant.value);
    return [
      `### ${title} {#${anchor}}`,
      text ?? `${meaning} Set \`${this.selector}\` to ${joinWords(values, 'or')}.`,
      toFieldTable(this.context, own),
      this.listCommon(fields.filter(isCommon), own.length + varying.length > 0),
      ...(varying.length === 0 ? [] : this.describeVarying(group, varying)),
      ...own.flatMap(({ schema }) => this.foldData(schema)),
    ];
  }

  private listCommon(fields: readonly Field[], isMore: boolean): string {
    if (fields.length === 0) return isMore ? '' : 'It takes no other fields.';
    const list = (isRequired: boolean): string =>
      joinWords(
        fields.filter((field) => field.isRequired === isRequired).map(({ path }) => `\`${path}\``),
        'and',
      );
    const parts = [
      ['Required', list(true)],
      ['Optional', list(false)],
    ].filter(([, own]) => own !== '');
    return `${parts.map(([name, own]) => `${name} [common fields](#common-fields): ${own}.`).join('<br>\n')}`;
  }

  /** The first group with fields that vary has a table for all groups like it. */
  private describeVarying(group: readonly Variant[], [field]: readonly Field[]): string[] {
    const alike = this.sections
      .filter(({ group: other }) => other.length === group.length)
      .map((one) => one.group);
    if (field === undefined || alike[0] !== group) return [];
    const toVerb = ({ value }: Variant): string => unquote(value).split('-')[0] ?? '';
    const toResource = ({ value }: Variant): string => unquote(value).replace(/^[^-]+-/, '');
    const find = (variant: Variant): Schema =>
      variant.fields.find(({ path }) => path === field.path)?.schema ?? {};
    return [
      toTable(
        ['Resource', ...alike.map(([one]) => `${toWords(toVerb(one!))} action`), toWords(field.path)],
        group.map((variant, index) => [
          toWords(toResource(variant)),
          ...alike.map((other) => other[index]!.value),
          describeType(find(variant), this.context.link),
        ]),
      ),
      ...group.flatMap((variant) => this.foldData(find(variant))),
    ];
  }

  /** The fields of an object that is described here. */
  private foldData(schema: Schema): string[] {
    const name = getName(schema);
    if (name === undefined || !this.context.link(name).endsWith(`(${this.page}#${name})`)) return [];
    const data = this.context.document.getSchema(name);
    if (data.properties === undefined) return [];
    const fields = Object.keys(data.properties).map((field) => `\`${field}\``);
    return [
      `::: details ${name}: ${fields.join(', ')} {#${name}}`,
      ...describeSchema(this.context, data),
      ':::',
    ];
  }

  private listSamples({ group }: Section): string[] {
    const { document } = this.context;
    const requests = Object.entries(
      this.endpoint.operation.requestBody?.content?.['application/json']?.examples ?? {},
    );
    const { named } = getDone(document, this.endpoint);
    const isOwn = (value: unknown): boolean => {
      const all = [value, ...Object.values(value as object)] as Readonly<Record<string, unknown>>[];
      return all.some((one) => group.some((variant) => variant.value === `\`${one[this.selector]}\``));
    };
    const own = requests.slice(1).filter(([, { value }]) => isOwn(value));
    return own.flatMap(([name, { summary = '', value }]) => [
      `**Request: ${toMarkdown(summary.charAt(0).toLowerCase() + summary.slice(1))}**`,
      toExample(value),
      ...(named[name] === undefined ? [] : ['**Response**', toExample(named[name].value)]),
      ...(name === 'update' ? showStale(document, this.endpoint) : []),
    ]);
  }
}

/** What answers a change of a record that has changed since it was read. */
function showStale(document: ApiDocument, { operation }: Endpoint): string[] {
  const [, answer] = document.getAnswers(operation).find(([status]) => status === '409') ?? [];
  const stale = answer?.content?.['application/json']?.examples?.STALE_REVISION;
  return stale === undefined
    ? []
    : [
        '**Response `409`**<br>\nThe record has changed since you read it, so `expectedRevision` is stale. Nothing was changed.',
        toExample(stale.value),
      ];
}

/** Text, and beside it samples if there are any. */
export const putBeside = (text: readonly string[], samples: readonly string[]): readonly string[] =>
  samples.length === 0
    ? text
    : [
        '<div class="beside">\n<div class="fields">',
        ...text,
        '</div>\n<div class="sample">',
        ...samples,
        '</div>\n</div>',
      ];
