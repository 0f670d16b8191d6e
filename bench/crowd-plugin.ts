/** A plugin for the benchmark: 500 contexts with ten registrations each. */
interface Crowd {
  component(definition: object): void
  decorateRun(name: string, value: unknown): void
  variable(name: string, value: string): void
  register(plugin: (context: Crowd) => Promise<void>, options: { context: string }): void
}

const CONTEXTS = 500
const COMPONENTS = 8

async function team(context: Crowd): Promise<void> {
  for (let n = 0; n < COMPONENTS; n++) {
    context.component({ type: `own-${n}`, title: `Own ${n}`, effects: 'pure', run: () => ({}) })
  }
  context.decorateRun('region', 'eu')
  context.variable('city', 'Lyon')
}

export default async function crowd(context: Crowd): Promise<void> {
  for (let n = 0; n < CONTEXTS; n++) context.register(team, { context: `team-${n}` })
}
