import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { CopiedCode } from './apply-mutation.ts'
import { MUTATIONS, type Mutation } from './mutations.ts'

interface MutationOptions {
  readonly below: string | undefined
  readonly say: (text: string) => void
  /** Those whose names contain this. */
  readonly only: string
  /** So many seeds each mutation is looked for with. */
  readonly seeds: number
  /** For so long at the most. */
  readonly ms: number
}

/** Of the thirty, so many have to be found. */
const ENOUGH = 28

/** Puts one small fault after the other into a copy of the code, and looks whether the simulation finds it. */
export async function runMutations(options: MutationOptions): Promise<boolean> {
  const { below, say, only } = options
  const code = new CopiedCode(below)
  try {
    for (const mutation of MUTATIONS) code.apply(mutation)()
    const chosen = MUTATIONS.filter(({ name }) => name.includes(only))
    let found = 0
    for (const mutation of chosen) if (await isFound(mutation, code, options)) found++
    say(`${found} of ${chosen.length} were found; of all ${MUTATIONS.length}, ${ENOUGH} are to be.`)
    return found >= Math.min(ENOUGH, chosen.length)
  } finally {
    code.remove()
  }
}

async function isFound(mutation: Mutation, code: CopiedCode, options: MutationOptions): Promise<boolean> {
  const { say } = options
  const { seeds = options.seeds } = mutation
  const takeBack = code.apply(mutation)
  try {
    const { broken, played } = await findBreach(code, mutation, { ...options, seeds })
    const how =
      broken === undefined
        ? `missed by the ${played} of ${seeds} seeds that suit it and had time`
        : `seed ${broken.seed}: ${broken.rule}`
    say(`${broken === undefined ? '✖' : '✔'} ${mutation.name}: ${how}`)
    return broken !== undefined
  } finally {
    takeBack()
  }
}

/** The first seed that breaks a rule, and breaks none in the code as it is: for what is not mended yet, nobody blames a mutation. */
async function findBreach(
  code: CopiedCode,
  mutation: Mutation,
  { seeds, ms }: MutationOptions
): Promise<Looked> {
  let played = 0
  for (let from = 1; from <= seeds; ) {
    const rest = Array.from({ length: seeds - from + 1 }, (_, at) => from + at)
    const { broken, played: more } = await lookForBreach(code.cli, mutation, rest, ms)
    played += more
    if (broken === undefined) break
    if ((await lookForBreach(SOUND, mutation, [broken.seed], ms)).broken === undefined)
      return { broken, played }
    from = broken.seed + 1
  }
  return { broken: undefined, played }
}

interface Looked {
  readonly broken: Played | undefined
  /** How many seeds were played. */
  readonly played: number
}

/** The code as it is. */
const SOUND = join(import.meta.dirname, '..', 'cli.ts')

async function lookForBreach(
  cli: string,
  { store = 'sqlite', features = '' }: Mutation,
  seeds: readonly number[],
  ms: number
): Promise<Looked> {
  const args = [cli, '--list', seeds.join(','), '--store', store, `--features=${features}`]
  const played = await playSeeds(args, ms)
  return { broken: played.find(({ rule }) => rule !== null), played: played.length }
}

interface Played {
  readonly seed: number
  readonly rule: string | null
}

/** Up to the first that breaks a rule. */
function playSeeds(args: readonly string[], ms: number): Promise<Played[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { timeout: ms, stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    child.stdout.on('data', (part) => {
      text += part
    })
    child.on('error', reject)
    child.on('close', () => {
      const lines = text.split('\n').filter((line) => line.startsWith('{') && line.endsWith('}'))
      resolve(lines.map((line) => JSON.parse(line) as Played))
    })
  })
}
