import { type Context, share } from '../../src/millrace.ts'

/**
 * A company, for the stories of contexts. Every context registers one of each kind under its own name, so that
 * whoever looks can tell what is seen from where:
 *
 *   /          company, shared into the root
 *   /sales     sales
 *   /sales/eu  eu
 *   /support   support
 */
export const NAMES = ['company', 'sales', 'eu', 'support'] as const

interface Seen {
  readonly seen: { readonly decorations: string[]; readonly variables: string[]; readonly through: string[] }
}

/** What concerns HTTP. It has Fastify's scope, for which it matters to come before the children. */
function forRequests(context: Context, name: string): void {
  context.decorate(`of_${name}`, name)
  context.decorateRequest(`of_${name}`, name)
  context.decorateReply(`of_${name}`, name)
  context.addHook('onRequest', async (request, reply) => {
    reply.header('x-passed', [reply.getHeader('x-passed') ?? [], name].flat().join(' '))
    reply.header('x-decorated', NAMES.filter((each) => `of_${each}` in request).join(' '))
  })
  context.get(`/look/${name}`, async function () {
    return NAMES.filter((each) => this.hasDecorator(`of_${each}`))
  })
}

/** What concerns flows. For this it does not matter when it comes, so it comes last. */
function forFlows(context: Context, name: string): void {
  context.component({ type: `of-${name}`, title: name, effects: 'pure', run: () => ({}) })
  context.decorateRun(`of_${name}`, name)
  context.variable(`of_${name}`, name)
  context.addRunHook('onStep', async (_step, next) => {
    const outputs = (await next()) as Partial<Seen>
    if (outputs?.seen === undefined) return outputs
    return { seen: { ...outputs.seen, through: [name, ...outputs.seen.through] } }
  })
}

async function eu(context: Context): Promise<void> {
  forRequests(context, 'eu')
  forFlows(context, 'eu')
}

async function sales(context: Context): Promise<void> {
  forRequests(context, 'sales')
  await context.register(eu)
  forFlows(context, 'sales')
}

async function helpdesk(context: Context): Promise<void> {
  forRequests(context, 'support')
  forFlows(context, 'support')
}

async function company(context: Context): Promise<void> {
  forRequests(context, 'company')
  context.component({
    type: 'look',
    title: 'Look',
    effects: 'pure',
    inputs: { data: { title: 'Data', type: 'data' } },
    outputs: { seen: { title: 'Seen', type: 'data' } },
    run: ({ run }) => ({
      seen: {
        decorations: NAMES.filter((name) => run[`of_${name}`] === name),
        variables: NAMES.filter((name) => run.variables[`of_${name}`] === name),
        through: []
      }
    })
  })
  context.register(sales)
  context.register(helpdesk, { context: 'support' })
  await context.after()
  forFlows(context, 'company')
}

export default share(company)
