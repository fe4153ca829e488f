import { operations } from '@orgchat/spec';
import { describeErrors, type Errors } from './api-errors.ts';
import { type Subject, subjects } from './api-subjects.ts';
import { listExamples } from './curl.ts';
import { ApiDocument, type Endpoint, getDone, type Parameter, type Schema } from './openapi.ts';
import { type GeneratedPage, joinBlocks, toMarkdown, toSentence, toTable } from './page.ts';
import {
  listUnpaired,
  showOtherExamples,
  showRequest,
  titleExample,
  toExample,
  toResponse,
} from './samples.ts';
import {
  type EndpointPlace,
  getAnswerSchemas,
  getRequestSchema,
  placeEndpoint,
  SchemaPlaces,
  toPart,
} from './schema-places.ts';
import { type Context, describeParameters, describeSchema } from './schema-text.ts';
import { VariantSections } from './variant-sections.ts';

/** The scopes of keys that may call an endpoint; nothing for those that need no key. */
function describeScope({ operation: { operationId } }: Endpoint): string {
  const scopes: Readonly<Record<string, { readonly scope: string }>> = operations;
  const { scope } = scopes[operationId] ?? {};
  if (scope === undefined) return '';
  return scope === 'read' ? '`read` or `write`' : '`write`';
}

/** The pages of one OpenAPI document. */
class ApiPages {
  private readonly document: ApiDocument;
  private readonly places: SchemaPlaces;
  private readonly commonErrors: Errors;
  private readonly commonParameters: readonly Parameter[];

  constructor(
    root: string,
    private readonly subject: Subject,
  ) {
    this.document = ApiDocument.read(root, subject.file);
    this.places = new SchemaPlaces(this.document, subject.base, this.findPlace);
    const { endpoints } = this.document;
    const [first] = endpoints;
    const isCommon = (has: (endpoint: Endpoint) => boolean): boolean => endpoints.every(has);
    this.commonErrors = this.listErrors(first!).filter(([status]) =>
      isCommon(({ operation }) => status in operation.responses),
    );
    this.commonParameters = this.document
      .getParameters(first!.operation)
      .filter(({ name }) =>
        isCommon(({ operation }) => this.document.getParameters(operation).some((one) => one.name === name)),
      );
  }

  list(): GeneratedPage[] {
    const { tags } = this.document.content;
    const { hasOwnPages } = this.subject;
    const { endpoints } = this.document;
    return [
      this.describeDocument(),
      ...(hasOwnPages
        ? endpoints.map((endpoint) => this.describeEndpoint(endpoint))
        : tags.map((tag) => this.describeGroup(tag))),
      this.describeObjects('Objects in requests', this.places.inRequests, 'required'),
      this.describeObjects('Objects in answers', this.places.inAnswers, 'optional'),
    ];
  }

  private toPage(path: string, title: string, blocks: readonly string[]): GeneratedPage {
    return { path, title, group: this.subject.title, text: joinBlocks(blocks) };
  }

  private findPlace = (endpoint: Endpoint): EndpointPlace =>
    placeEndpoint(this.document, this.subject, endpoint);

  private listErrors({ operation }: Endpoint): Errors {
    return this.document.getAnswers(operation).filter(([status]) => /^[45]/.test(status));
  }

  private describeDocument(): GeneratedPage {
    const { title, base, file, server, facts, start, first, sections } = this.subject;
    const { info, servers, tags } = this.document.content;
    const { endpoints } = this.document;
    const groups = tags.map(({ name }) => name);
    const list = [
      '## Endpoints',
      this.listEndpoints(
        endpoints.toSorted(
          (one, other) =>
            groups.indexOf(one.operation.tags[0] ?? '') - groups.indexOf(other.operation.tags[0] ?? ''),
        ),
      ),
    ];
    const request = [
      '## First request',
      start,
      ...endpoints
        .filter(({ operation }) => operation.operationId === first)
        .flatMap((endpoint) => this.showFirstExample(endpoint)),
    ];
    return this.toPage(base, 'Overview', [
      `# ${title}`,
      info.description.split(' Generated from')[0]!.replaceAll(/\s+/g, ' '),
      toTable(['', ''], [['Base URL', `\`${servers[0]?.url}\` ${server}`], ...facts]),
      ...list,
      ...request,
      ...sections.flatMap(([heading, text]) => [`## ${heading}`, text]),
      '## Errors of every request',
      'The body of every error has a code in the field `error` and a text for people in the field `message`. The code does not change with the language.',
      describeErrors(this.commonErrors),
      '## Shared objects',
      `Several endpoints share objects [in requests](${base}objects-in-requests) and [in answers](${base}objects-in-answers).`,
      '## OpenAPI document',
      `Download the [OpenAPI 3.1 document](/${file}.yaml), version ${info.version}. The [specification](/reference/specification) is the text of the contract, and the [decisions](/reference/decisions) say how this project reads what the contract leaves open.`,
    ]);
  }

  /** What the endpoints do, and which keys may call them. */
  private listEndpoints(endpoints: readonly Endpoint[]): string {
    const hasKeys = endpoints.some((endpoint) => describeScope(endpoint) !== '');
    const toAddress = ({ page, anchor }: EndpointPlace): string =>
      anchor === undefined ? page : `${page}#${anchor}`;
    return toTable(
      ['Endpoint', 'What it does', ...(hasKeys ? ['Scope of the key'] : [])],
      endpoints.map((endpoint) => [
        `[\`${endpoint.method} ${endpoint.path}\`](${toAddress(this.findPlace(endpoint))})`,
        toSentence(endpoint.operation.summary),
        ...(hasKeys ? [describeScope(endpoint)] : []),
      ]),
    );
  }

  private describeGroup({ name, description }: { name: string; description: string }): GeneratedPage {
    const endpoints = this.document.endpoints.filter(({ operation }) => operation.tags.includes(name));
    const { title, base } = this.subject;
    return this.toPage(`${base}${name.toLowerCase()}`, name, [
      `# ${title}: ${name}`,
      `${toMarkdown(description)} See also [all endpoints](${base}) and [errors of every request](${base}#errors-of-every-request).`,
      this.listEndpoints(endpoints),
      ...endpoints.flatMap((endpoint) => this.describeOperation(endpoint)),
    ]);
  }

  /** A section of a page of several endpoints. */
  private describeOperation(endpoint: Endpoint): string[] {
    const { method, path, operation } = endpoint;
    const { operationId: anchor, summary, description = '' } = operation;
    const more = showOtherExamples(this.document, endpoint);
    return [
      `## ${toMarkdown(summary)} {#${anchor}}`,
      `\`${method} ${path}\``,
      toMarkdown(description),
      ...this.showFirstExample(endpoint),
      ...this.describeRequest(endpoint, '###'),
      ...this.describeAnswer(endpoint, '###'),
      ...(more.length === 0 ? [] : ['::: details More examples', ...more, ':::']),
      ...this.describeOwnErrors(endpoint),
    ];
  }

  /** A page of one endpoint: what it has, and beside it examples. */
  private describeEndpoint(endpoint: Endpoint): GeneratedPage {
    const { method, path, operation } = endpoint;
    const { page } = this.findPlace(endpoint);
    const title = toMarkdown(operation.summary);
    const sections = this.readSections(endpoint);
    const request = this.describeRequest(endpoint, '##');
    const answer = this.describeAnswer(endpoint, '##');
    const more = listUnpaired(this.document, endpoint);
    const links = [
      ...(request.length === 0 ? [] : [`[Request](${page}#request)`]),
      ...(sections?.links ?? []),
      `[Response](${page}#response)`,
      `[Errors](${page}#errors)`,
    ];
    return this.toPage(page, title, [
      `# ${title}`,
      `\`${method} ${path}\``,
      toMarkdown(operation.description ?? ''),
      `Your key needs the scope ${describeScope(endpoint)}. The [overview](${this.subject.base}) has the base URL, the keys and the limits.`,
      `<div class="jump">\n\n**On this page:** ${links.join(' ')}\n\n</div>`,
      '<div class="beside">\n<div class="sample">',
      ...this.showTopExample(endpoint),
      '</div>\n<div class="fields">',
      ...request,
      ...(sections === undefined ? answer : []),
      '</div>\n</div>',
      ...(sections?.describeRest() ?? []),
      ...(sections === undefined ? [] : answer),
      ...more,
      '## Errors {#errors}',
      describeErrors(this.listErrors(endpoint), operation.operationId),
    ]);
  }

  /** The sections of a request whose body, or a field of it, has variants. */
  private readSections(endpoint: Endpoint): VariantSections | undefined {
    const request = getRequestSchema(endpoint);
    const { page, anchor } = this.findPlace(endpoint);
    if (request === undefined || anchor !== undefined) return undefined;
    return VariantSections.read(this.toContext('required'), endpoint, page, request);
  }

  /** A request and its answer in frames of their own, with what they do. */
  private showTopExample(endpoint: Endpoint): string[] {
    const [[, { summary = '' }] = ['', { summary: '' }]] = listExamples(endpoint);
    const [answer] = getDone(this.document, endpoint).examples;
    return [
      summary === '' ? '' : titleExample(summary),
      ...showRequest(this.document, endpoint),
      ...(answer === undefined ? [] : toResponse(answer.value)),
    ];
  }

  /** A request, and its answer if the document has one. */
  private showFirstExample(endpoint: Endpoint): string[] {
    const [answer] = getDone(this.document, endpoint).examples;
    const place = this.findPlace(endpoint);
    const { page } = place;
    return [
      ...showRequest(this.document, endpoint),
      ...(answer === undefined
        ? []
        : [
            `The response looks like this. The [reference](${page}#${toPart(place, 'response')}) explains each field.`,
            toExample(answer.value),
          ]),
    ];
  }

  private toContext(marks: Context['marks']): Context {
    return { document: this.document, link: this.places.link, marks };
  }

  /** A schema, and below it those that are described with it. */
  private describeWithParts(endpoint: Endpoint, schema: Schema, marks: Context['marks']): string[] {
    const { page, anchor } = this.findPlace(endpoint);
    const describe = (one: Schema): string[] => describeSchema(this.toContext(marks), one);
    const parts = anchor === undefined ? this.places.listPartsOn(page, schema) : [];
    return [
      ...describe(this.document.resolve(schema)),
      ...parts.flatMap((name) => {
        const part = this.document.getSchema(name);
        const hasMeaning = this.document.resolve(schema).properties === undefined;
        return [
          `### ${name} {#${name}}`,
          hasMeaning ? toMarkdown(part.description ?? '') : '',
          ...describe(part),
        ];
      }),
    ];
  }

  private describeRequest(endpoint: Endpoint, level: string): string[] {
    const request = getRequestSchema(endpoint);
    const parameters = this.document
      .getParameters(endpoint.operation)
      .filter(({ name }) => this.commonParameters.every((common) => common.name !== name));
    if (request === undefined && parameters.length === 0) return [];
    return [
      `${level} Request {#${toPart(this.findPlace(endpoint), 'request')}}`,
      describeParameters(parameters, this.places.link),
      ...(request === undefined
        ? []
        : (this.readSections(endpoint)?.describeFirst() ??
          this.describeWithParts(endpoint, request, 'required'))),
    ];
  }

  private describeAnswer(endpoint: Endpoint, level: string): string[] {
    const { status, kind } = getDone(this.document, endpoint);
    return [
      `${level} Response {#${toPart(this.findPlace(endpoint), 'response')}}`,
      `The status is \`${status}\`${kind === '' ? '.' : `, and the body is \`${kind}\`.`}`,
      ...getAnswerSchemas(this.document, endpoint).flatMap((schema) =>
        this.describeWithParts(endpoint, schema, 'optional'),
      ),
    ];
  }

  private describeOwnErrors(endpoint: Endpoint): string[] {
    const isOwn = ([status]: Errors[number]): boolean =>
      this.commonErrors.every(([common]) => common !== status);
    const own = this.listErrors(endpoint).filter(isOwn);
    if (own.length === 0) return [];
    const common = this.commonErrors.map(([status]) => status).join(', ');
    return [
      `### Errors {#${toPart(this.findPlace(endpoint), 'errors')}}`,
      `Besides [those of every request](${this.subject.base}#errors-of-every-request) (${common}):`,
      describeErrors(own, endpoint.operation.operationId),
    ];
  }

  private describeObjects(title: string, names: readonly string[], marks: Context['marks']): GeneratedPage {
    const path = `${this.subject.base}${title.toLowerCase().replaceAll(' ', '-')}`;
    const describe = (name: string): string => toMarkdown(this.document.getSchema(name).description ?? '');
    return this.toPage(path, title, [
      `# ${this.subject.title}: ${title.toLowerCase()}`,
      `What the [endpoints](${this.subject.base}) share.`,
      toTable(
        ['Object', 'Meaning'],
        names.map((name) => [`[${name}](#${name})`, describe(name)]),
      ),
      ...names.flatMap((name) => [
        `## ${name} {#${name}}`,
        describe(name),
        ...describeSchema(this.toContext(marks), this.document.getSchema(name)),
      ]),
    ]);
  }
}

export const generateApiPages = (root: string): GeneratedPage[] =>
  subjects.flatMap((subject) => new ApiPages(root, subject).list());
