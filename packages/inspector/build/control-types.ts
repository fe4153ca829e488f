import openapiTS, { astToString } from 'openapi-typescript';
import { parse } from 'yaml';

interface Schema {
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, { readonly enum?: readonly string[] }>>;
}

interface Parameter {
  readonly name: string;
  readonly schema: Schema;
}

interface ControlDocument {
  readonly paths: Readonly<Record<string, { readonly get?: { readonly parameters?: readonly Parameter[] } }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema | undefined>> };
}

/** The types of the control API for the page, and the choices of its forms, from its OpenAPI document. */
export async function inspectorTypes(controlYaml: string): Promise<string> {
  const types = astToString(await openapiTS(controlYaml, { defaultNonNullable: false }));
  const { components, paths } = parse(controlYaml) as ControlDocument;
  const { schemas } = components;
  const recordParameters = paths['/records']?.get?.parameters ?? [];
  const choices = {
    operationNames: schemas.OperationName?.enum,
    changeActions: schemas.ChangeAction?.enum,
    requestResources: schemas.RequestResource?.enum,
    listedResources: recordParameters.find(({ name }) => name === 'resource')?.schema.enum,
    editableResources: schemas.EditInput?.properties?.resource?.enum,
  };
  const constants = Object.entries(choices).map(([name, values]) => {
    if (values === undefined) throw new Error(`The control API document has no values for ${name}.`);
    return `export const ${name} = ${JSON.stringify(values)} as const;`;
  });
  return `${types}\n${constants.join('\n')}\n`;
}
