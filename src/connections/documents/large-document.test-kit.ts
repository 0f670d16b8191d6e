/** An API of the size and the shape of GitHub's: references in references, answers with all that they lead to, circles. */
export function largeDocument({ operations = 1_223, schemas = 900 } = {}) {
  return {
    openapi: '3.0.3',
    info: { title: 'A large API', version: '1.1.4' },
    servers: [{ url: 'https://api.example.com' }],
    paths: pathsOf(operations),
    components: {
      parameters: {
        owner: { name: 'owner', in: 'path', required: true, description: WORDS, schema: { type: 'string' } },
        per_page: { name: 'per_page', in: 'query', schema: { type: 'integer', default: 30 } },
        page: { name: 'page', in: 'query', description: WORDS, schema: { type: 'integer', default: 1 } }
      },
      schemas: Object.fromEntries(
        Array.from({ length: schemas }, (_, index) => [`schema-${index}`, schemaAt(index, schemas)])
      )
    }
  }
}

const WORDS = 'What it is and what it is for, in a sentence or two as documents of APIs have them. '

const THINGS = ['issue', 'repository', 'release', 'team', 'branch', 'deployment', 'webhook', 'label']
const VERBS = [
  ['get', 'Get'],
  ['post', 'Create'],
  ['put', 'Replace'],
  ['patch', 'Update'],
  ['delete', 'Delete']
] as const

function pathsOf(operations: number): Record<string, Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (let index = 0; index < operations; index++) {
    const [method, verb] = VERBS[index % VERBS.length]!
    const thing = THINGS[index % THINGS.length]!
    const path = `/owners/{owner}/${thing}s-${Math.floor(index / VERBS.length)}/{${thing}_id}`
    paths[path] ??= {}
    paths[path][method] = operationAt(index, { verb, thing, hasBody: method.startsWith('p') })
  }
  return paths
}

function operationAt(
  index: number,
  { verb, thing, hasBody }: { readonly verb: string; readonly thing: string; readonly hasBody: boolean }
) {
  const id = `${thing}s/${verb.toLowerCase()}-${index}`
  return {
    operationId: id,
    summary: `${verb} ${/^[aeiou]/.test(thing) ? 'an' : 'a'} ${thing} of kind ${index}`,
    description: WORDS.repeat(6),
    tags: [`${thing}s`],
    parameters: [
      { $ref: '#/components/parameters/owner' },
      { name: `${thing}_id`, in: 'path', required: true, schema: { type: 'integer' } },
      { $ref: '#/components/parameters/per_page' },
      { $ref: '#/components/parameters/page' }
    ],
    ...(hasBody && {
      requestBody: { required: true, content: { 'application/json': { schema: bodyAt(index) } } }
    }),
    responses: {
      200: {
        description: WORDS,
        content: { 'application/json': { schema: ref(index), examples: EXAMPLES } }
      },
      404: { description: 'Not found' }
    }
  }
}

const EXAMPLES = {
  default: {
    value: Array.from({ length: 12 }, (_, item) => ({
      id: item,
      url: `https://api.example.com/things/${item}`,
      html_url: `https://example.com/things/${item}`,
      title: WORDS,
      labels: [{ name: 'bug', color: 'f29513', default: true }],
      user: { login: 'octocat', id: 1, site_admin: false, type: 'User' }
    }))
  }
}

function bodyAt(index: number) {
  return {
    type: 'object',
    required: ['title'],
    properties: {
      title: { type: 'string', description: WORDS },
      count: { type: 'integer' },
      is_open: { type: 'boolean' },
      labels: { type: 'array', items: { type: 'string' } },
      settings: ref(index)
    }
  }
}

function schemaAt(index: number, schemas: number) {
  const properties: Record<string, unknown> = {}
  for (let field = 0; field < 30; field++)
    properties[`field_${field}`] = { type: 'string', description: WORDS }
  // Some lead forward, and some back: in circles, and each to two of the next.
  properties.next = ref((index * 2 + 1) % schemas)
  properties.other = ref((index * 2 + 2) % schemas)
  properties.parent = { nullable: true, allOf: [ref(Math.floor(index / 2))] }
  properties.self = { type: 'array', items: ref(index) }
  return { type: 'object', title: `Schema ${index}`, properties }
}

function ref(index: number) {
  return { $ref: `#/components/schemas/schema-${index % 900}` }
}
